// Fields of `iac api` to JSON.
import { describe, expect, test } from 'vitest'
import { fieldsObject } from './api-fields.ts'

describe('fields', () => {
  test('are typed, or texts', () => {
    expect(fieldsObject(['a=1', 'b=true', 'c=null', 'd=x=y', 'e=9007199254740993', 'f=1.5', 'g='], ['h=1'])).toEqual({
      a: 1,
      b: true,
      c: null,
      d: 'x=y',
      e: 9007199254740993n,
      f: '1.5',
      g: '',
      h: '1',
    })
  })
  test('nest and add to lists', () => {
    expect(fieldsObject(['a[b]=1', 'a[c][d]=2', 'l[]=x', 'l[]=y'], ['__proto__[x]=1'])).toEqual({
      a: { b: 1, c: { d: 2 } },
      l: ['x', 'y'],
      ['__proto__']: { x: '1' },
    })
  })
  test.each([['novalue'], ['=x'], ['a]=1'], ['a[b=1']])('%s is none', (text) => {
    expect(() => fieldsObject([text], [])).toThrow('is no field')
  })
  test.each([[['a=1', 'a=2']], [['a=1', 'a[b]=2']], [['a[]=1', 'a[b]=2']]])('%j contradict each other', (texts) => {
    expect(() => fieldsObject(texts, [])).toThrow(/given twice|contradicts/)
  })
  test('may be none at all', () => {
    expect(fieldsObject([], [])).toBeUndefined()
  })
})
