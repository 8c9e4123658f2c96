// `iac explain` knows every word that a section of the reference holds, by itself.
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()

test.each([
  ['prevent_destroy', /^lifecycle\n[^]*\n {2}metadata\.lifecycle\.prevent_destroy </],
  ['on_remove', /^lifecycle\n[^]*\n {2}metadata\.lifecycle\.on_remove </],
  ['lifecycle.Replace_On', /^lifecycle\n/],
  ['redeploy_triggered_by', /^lifecycle\n/],
  ['compat', /^provider\n[^]*\n {2}provider\.compat </],
  ['Provider.compat', /^provider\n/],
  ['max_destroy', /^guards\n/],
  ['CI', /^CI \(variable of the environment\)\n/],
  ['PGHOST', /^IAC_STATE_URL \(variable of the environment\)\n[^]*`PGHOST`/],
  ['no_proxy', /^HTTPS_PROXY \(/],
  ['IAC_STATE_DIR', /^IAC_STATE_DIR \(/],
])('explain %s tells of the section that holds it', async (word, text) => {
  expect(await runCli(['explain', word], { folder })).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(text) })
})
test.each([
  ['prevent_destory', 'prevent_destroy'],
  ['lifecycle.create_befor_destroy', 'lifecycle.create_before_destroy'],
  ['max_destory', 'max_destroy'],
  ['metadata.nam', 'metadata.name'],
])('explain %s has a suggestion that is explained', async (word, meant) => {
  const { code, stderr } = await runCli(['explain', word], { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining(`hint: did you mean ${meant}?\n`)])
  expect((await runCli(['explain', meant], { folder })).code).toBe(0)
})
test('explain points to the sections where several hold a word', async () => {
  const { code, stderr } = await runCli(['explain', 'sensitive_'], { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining('did you mean sensitive?')])
  const asked = await runCli(['explain', 'description'], { folder })
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('hint: see `iac explain variables` or `iac explain outputs`\n')])
  expect((await runCli(['explain', 'NAME'], { folder })).code).toBe(3)
})
test.each([
  ['', '"" is'],
  ['.power', '.power is'],
  ['xq', 'xq is'],
])('explain %j suggests nothing, since too much is near', async (word, says) => {
  const { code, stderr } = await runCli(['explain', word], { folder })
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^error: .*\n {2}hint: `iac explain` lists kinds and topics\n/)])
  expect(stderr).toContain(`error: ${says} neither a kind`)
})
