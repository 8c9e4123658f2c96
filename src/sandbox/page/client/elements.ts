// Elements of the page: found by id, made with text alone, and lists of them kept in step with what they show.

const SVG = 'http://www.w3.org/2000/svg'

type Attributes = Readonly<Record<string, string | number | undefined>>

/** The element of an id; throws where the page has none of this type, which is a bug. */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`)
  return found
}

/** The first element below another; throws where there is none of this type. */
export function below<T extends Element>(parent: Element, selector: string, type: new () => T): T {
  const found = parent.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`no ${type.name} ${selector}`)
  return found
}

/** Makes an element; strings become text, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  setAll(element, attributes)
  element.append(...children)
  return element
}

/** Makes an element of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag)
  setAll(element, attributes)
  element.append(...children)
  return element
}

/** Sets attributes that differ from what is there. */
export function setAll(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value))
  }
}

/** Puts a text in where it is another: selections and readers are left alone otherwise. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

interface Known {
  readonly element: Element
  shown: string
}

const known = new WeakMap<Element, Map<string, Known>>()

/** Keeps the children of an element in step with items: made once by key, filled anew only where an item is another, in order. */
export function keep<T>(
  parent: Element,
  items: readonly T[],
  form: { readonly key: (item: T) => string; readonly make: (item: T) => Element; readonly fill: (element: Element, item: T) => void },
): void {
  const before = known.get(parent) ?? new Map<string, Known>()
  const after = new Map<string, Known>()
  const keys = new Set(items.map(form.key))
  // What goes does so first: an element that would have to be moved past it would lose the focus.
  for (const [key, { element }] of before) if (!keys.has(key)) element.remove()
  let at = parent.firstElementChild
  for (const item of items) {
    const key = form.key(item)
    const shown = JSON.stringify(item)
    const one = before.get(key) ?? { element: form.make(item), shown: '' }
    after.set(key, one)
    if (one.shown !== shown) form.fill(one.element, item)
    one.shown = shown
    if (one.element === at) at = at.nextElementSibling
    else parent.insertBefore(one.element, at)
  }
  known.set(parent, after)
}
