// What a bucket answers a list with.
import { expect, test } from 'vitest'
import { errorCode, readListPart } from './listing.ts'

const list = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</ListBucketResult>\n`
const one = (key: string): string => `<Contents><Key>${key}</Key><Size>1</Size><Owner><ID>x</ID></Owner></Contents>`

test('its keys, with what stands for other characters, and where it goes on', () => {
  const xml = list(
    `<Prefix/><IsTruncated>true</IsTruncated>${one('a&amp;b')}\n  ${one('&#x43;&#68; &quot;')}<NextContinuationToken>1/&lt;+=</NextContinuationToken>`,
  )
  expect(readListPart(xml)).toEqual({ keys: ['a&b', 'CD "'], next: '1/<+=' })
  expect(readListPart(list('<IsTruncated>false</IsTruncated>'))).toEqual({ keys: [], next: undefined })
  expect(readListPart(list(`<IsTruncated>false</IsTruncated><CommonPrefixes><Key>no</Key></CommonPrefixes>`))).toEqual({ keys: [], next: undefined })
})

test.each([
  '',
  'no XML',
  '<html><body></body></html>',
  list(one('a')),
  list('<IsTruncated>true</IsTruncated>'),
  list('<IsTruncated>perhaps</IsTruncated>'),
  list('<IsTruncated>false</IsTruncated>').slice(0, -20),
  list('<IsTruncated>false</Is>'),
  list(`<IsTruncated>false</IsTruncated>${one('&unknown;')}`),
  list(`<IsTruncated>false</IsTruncated>${one('a & b')}`),
  list(`<IsTruncated>false</IsTruncated>${one('&#x110000;')}`),
  list('<IsTruncated>false</IsTruncated><!-- c -->'),
  list('<IsTruncated>false</IsTruncated><Contents><Key><![CDATA[a]]></Key></Contents>'),
  `<!DOCTYPE x [<!ENTITY a "b">]>${list('<IsTruncated>false</IsTruncated>')}`,
  list('<IsTruncated>false</IsTruncated>').repeat(2),
])('%j is none', (xml) => {
  expect(readListPart(xml)).toBeUndefined()
})

test('the code of an error', () => {
  expect(errorCode('<Error><Code>NoSuchKey</Code></Error>')).toBe('NoSuchKey')
  expect(errorCode('<Code>a b</Code>')).toBe('')
})
