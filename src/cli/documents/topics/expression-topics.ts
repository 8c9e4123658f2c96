// Expressions: what they are, types, what is in scope, what is not known yet, what is not shown.
import type { Evaluated } from '../../../expressions/function-texts.ts'
import type { Topic } from './topic.ts'

const examples = (...pairs: readonly (readonly [string, string])[]): readonly Evaluated[] => pairs.map(([source, gives]) => ({ source, gives }))

const expressions: Topic = {
  names: ['expressions'],
  title: 'Expressions',
  about: [
    'An expression stands in `${…}`, in any string below `spec`, `for_each`, `workspace`, `import` and `outputs`. It is CEL, the Common Expression Language, with its standard library, macros and strings extension.',
    'A string that is one expression has the type of its value: `replicas: ${vars.replicas}` is an integer. Text around it makes a string: `web-${each.key}`. `$${` is a literal `${`.',
    'In text a string stands as it is, an integer in decimals, a boolean as `true` or `false`; null, lists and maps are errors, and `json(x)` gives their text. A YAML line with `{`, `#` or `: ` in it needs quotes.',
    'Every expression is parsed and every name in it checked when the project is loaded: a typo is an error with file, line and column, before any call. There is no clock, no randomness and no environment in them: the same project gives the same plan. An expression has at most 16 KiB and 100 levels.',
  ],
  evaluated: examples(
    ["vars.region + '-web'", '"fra-1-web"'],
    ['vars.sizes.large * 2', '8'],
    ["vars.sizes['small'] == 1 ? 'yes' : 'no'", '"yes"'],
    ["'a' in vars.zones && !(size(vars.zones) > 2)", 'true'],
    ['vars.zones + ["c"]', '["a", "b", "c"]'],
    ['7 / 2', '3'],
    ['7.0 / 2.0', '3.5'],
  ),
}

const types: Topic = {
  names: ['types'],
  title: 'Types',
  about: [
    'Integers of YAML are `int` (64 bits), other numbers `double`; ids are strings. Beside them are `string`, `bool`, `list`, `map` and null, and within expressions `uint`, `bytes`, `timestamp` and `duration`.',
    'Nothing is coerced: `1 + "1"` is an error, and so is a double in a field that takes an integer. Integers and doubles can be compared with each other. An integer division drops the fraction; what does not fit 64 bits is an error.',
    'Lists may mix types. An optional field that is not set is null. Equality compares whole lists and maps.',
  ],
  evaluated: examples(
    ['type(1) == int && type(1.0) == double', 'true'],
    ['1 == 1.0', 'true'],
    ['"1" == 1', 'false'],
    ['[1, [2]] == [1, [2]]', 'true'],
    ['9007199254740993 + 1', '9007199254740994'],
  ),
}

const scope: Topic = {
  names: ['scope', 'each', 'each.key', 'each.value'],
  title: 'Scope',
  about: [
    'What an expression may name:',
    '- `vars.NAME`: a variable of `iac.yaml`. CEL reserves the word `var`.',
    '- `each.key` and `each.value`: in a manifest with `for_each`.',
    "- `Kind['name'].attribute`: a field or an output of another resource, a reference as the id it stands for; `.id` is there always. It is a dependency.",
    "- `Kind['name']['key'].attribute`: of one of a `for_each`; without the key it is a map by key, in the order of their bytes. The index after a kind is a literal, or comes from `vars` or `each`.",
    "- `file('path')`, `lookup('Kind', 'name')` and the other functions (`iac explain functions`).",
    '`for_each`, `workspace` and `import` are evaluated when the project is loaded: variables, `each` and `file()` alone are in their scope, and in that of `import` `lookup()`, which is asked when planning.',
    "In `iac.yaml` an output's `value` and `provider.workspace` are evaluated. Every other setting is taken as it stands, and one that looks like an expression is an error.",
  ],
  evaluated: examples(["Vpc['main'].range", '"10.20.0.0/24"'], ["Vpc['net'].map(key, Vpc['net'][key].range)", '["10.21.0.0/24", "10.22.0.0/24"]']),
}

const unknown: Topic = {
  names: ['unknown'],
  title: 'Unknown values',
  about: [
    'What only the service can say (the id of an object that is not there yet) is known after the apply of that resource. A plan shows `(known after apply)` for it and for what is computed from it, and the apply puts the value in. An update of a resource leaves its outputs as they are, but for those that follow a field that it changes: `online` follows `power`, and `vpc_addresses` the networks that come and go. So it is with what another one changes: the addresses of a server are not known where a `FloatingIp` is attached to it or let go of, and are read again after that.',
    'Where the known side decides, the result is known: in `&&`, `||` and `?:`, in the size of a list, and in the other members of a list or map.',
    'An unknown value in a field that cannot be updated plans a replacement. The keys of a `for_each` must be known.',
  ],
  evaluated: examples(
    ["Vpc['main'].id", '(known after apply)'],
    ["'net-' + Vpc['main'].id", '(known after apply)'],
    ["true || Vpc['main'].id == ''", 'true'],
    ["size([Vpc['main'].id, 'x'])", '2'],
    ["[Vpc['main'].id, 'x'][1]", '"x"'],
  ),
}

const sensitive: Topic = {
  names: ['sensitive'],
  title: 'Sensitive values',
  about: [
    'A variable that is declared `sensitive`, a field or output that is marked so (`iac explain K3sSecret`), and what stands in `sensitive(…)` is shown as `(sensitive value)`. In state, plans and journal a digest stands in its place: it tells that a value changed, not what it is.',
    'Whatever is computed from it is sensitive, comparisons and sizes included, and messages do not quote it; so is what stands in for a mistake that it may have made, as in `int(vars.password) > 0 || true`. A plan shows what is not known yet and depends on it as `(sensitive value)`, too, and so policies read it; only the plan as JSON tells that it is not known yet, by `after_unknown`, `unresolved` and `digests`, and by `$unknown` in the values of `patch`. In a name, a key of `for_each` or an address it is an error.',
    'A field shows the keys of a map and how many items a list has, whatever chose them. It would show as well that there is no value: a null that something sensitive chose is an error there, and so is a key that is made of something sensitive. That a sensitive variable is null by itself shows.',
  ],
  evaluated: examples(['vars.password', '(sensitive value)'], ["'user:' + vars.password", '(sensitive value)'], ["vars.password == ''", '(sensitive value)']),
}

/** The sections on expressions, in the order of the page; functions follow. */
export const expressionTopics = { expressions, types, scope, unknown, sensitive }
