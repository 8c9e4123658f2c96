// The database's address: what is told of it, what is refused, and that no part of a password is told.
import { expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { databaseAddress } from './database-address.ts'

function told(environment: Readonly<Record<string, string>>): string {
  try {
    databaseAddress({ environment })
  } catch (error) {
    if (error instanceof Failure) return `${error.exitCode} ${JSON.stringify(error.diagnostics)}`
    throw error
  }
  return 'taken'
}

test.each([
  ['postgresql://shop:pw@db.example/prod?sslmode=verify-full', 'the database prod on db.example:5432'],
  ['postgres://shop:p%40w%2F@db.example:6000/prod?sslmode=require', 'the database prod on db.example:6000'],
  ['postgresql://shop:pw@db.example/prod?ssl=true', 'the database prod on db.example:5432'],
  ['postgresql://shop:pw@db.example?sslmode=disable', 'the database on db.example:5432'],
  ['postgresql://shop:pw@127.0.0.1/prod', 'the database prod on 127.0.0.1:5432'],
  ['postgresql://shop:pw@localhost/prod?sslmode=prefer', 'the database prod on localhost:5432'],
  ['postgresql:///prod?host=/var/run/postgresql&user=shop', 'the database prod on /var/run/postgresql:5432'],
])('%s is taken', (url, where) => {
  expect(databaseAddress({ environment: { IAC_STATE_URL: url } }).where).toBe(where)
})

test.each([
  'postgresql://shop:/Hf8xyz@db.example/prod',
  'postgresql://shop:1/Hf8xyz@db.example/prod',
  'postgresql://shop:1?Hf8xyz@db.example/prod',
  'postgresql://shop:1#Hf8xyz@db.example/prod',
  'postgresql://shop:Hf8xyz#1@db.example/prod',
  'postgresql://shop:pw@db.example/prod/Hf8xyz',
  'mysql://shop:Hf8xyz@db.example/prod',
])('%s is refused, and nothing of it is told', (url) => {
  expect(told({ IAC_STATE_URL: url })).toMatch(/^9 /)
  expect(told({ IAC_STATE_URL: url })).not.toMatch(/Hf8xyz|shop/)
})

test.each(['/Hf8xyz@', '1/Hf8xyz@', 'Hf8?xyz@', '1#Hf8xyz@', 'Hf8#xyz@1@', 'Hf8@xyz/1@', 'Hf8%xyz@', 'Hf8xyz%'])(
  'the likely cause of a password %s that is not encoded is told',
  (password) => {
    const text = told({ IAC_STATE_URL: `postgresql://shop:${password}@db.example:5432/prod` })
    expect(text).toMatch(/^9 .*password.*%2F, %3F, %23, %40 and %25/)
    expect(text).not.toMatch(/Hf8|xyz|shop|db\.example/)
  },
)

test.each([
  [{ IAC_STATE_URL: 'postgresql://shop:pw@db.example/prod' }, /^9 .*clear text.*sslmode=verify-full/],
  [{ IAC_STATE_URL: 'postgresql://shop:pw@db.example/prod?sslmode=prefer' }, /^9 .*clear text/],
  [{ IAC_STATE_URL: 'postgresql://shop:pw@db.example/prod', PGSSLMODE: 'allow' }, /^9 .*clear text/],
  [{ IAC_STATE_URL: 'postgresql://shop:pw@db.example/prod', PGSSLMODE: 'require' }, /^taken/],
  [{ IAC_STATE_URL: 'postgresql://shop:pw@db.example/prod?sslmode=verify' }, /^3 .*sslmode in IAC_STATE_URL is no mode/],
  [{ PGHOST: 'db.example' }, /^9 .*clear text/],
  [{ PGHOST: 'db.example', PGSSLMODE: '' }, /^9 .*clear text/],
  [{ PGHOST: 'db.example', PGSSLMODE: 'disable' }, /^taken/],
  [{ PGHOST: 'db.example', PGSSLMODE: 'on' }, /^3 .*PGSSLMODE is no mode/],
  [{ PGHOST: 'localhost', PGPORT: 'x' }, /^3 .*PGPORT is no port/],
  [{ PGHOST: '' }, /^9 .*nothing says where/],
])('%j', (environment, expected) => {
  expect(told(environment)).toMatch(expected)
})

test('variables that are empty are not set', () => {
  const environment = { PGHOST: '::1', PGPORT: '', PGSSLMODE: '', PGDATABASE: '', PGUSER: '' }
  expect(databaseAddress({ environment })).toMatchObject({ where: 'the database on ::1:5432', config: { port: 5432, database: undefined, ssl: false } })
  expect(databaseAddress({ environment: { PGHOST: '/tmp', PGUSER: 'shop' } }).where).toBe('the database shop on /tmp:5432')
  const secured = databaseAddress({ environment: { PGHOST: 'db.example', PGSSLMODE: 'verify-full' } })
  expect(secured.config.ssl).toEqual({ rejectUnauthorized: true })
  expect(databaseAddress({ environment: { IAC_STATE_URL: 'postgresql://a:b@localhost/x?sslmode=prefer&application_name=y' } }).config).toEqual({
    connectionString: 'postgresql://a:b@localhost/x?application_name=y',
    ssl: false,
  })
})
