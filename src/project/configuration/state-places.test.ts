// Where a shared state lies must not depend on what a folder is called, and no state lies among those of the sandbox.
import { describe, expect, test } from 'vitest'
import { load, manifest, memoryFiles, mistakes } from '../../../test/builders/project.ts'

const project = (text: string) => ({
  'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${text}\n`,
  'a.yaml': manifest('SshKey', 'main', 'public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu x'),
})
const hintOf = (text: string, folder: string) => {
  const files = Object.entries(project(text)).map(([name, content]) => [`${folder}/${name}`, content])
  return load({}, { folder, files: memoryFiles(Object.fromEntries(files)) }).diagnostics[0]?.hint
}

describe('the name of a project whose state is shared', () => {
  test.each([
    ['state: {backend: postgres}', 3, 1, 'postgres', 'name'],
    ['state: {backend: postgres, schema: s}', 3, 1, 'postgres', 'name'],
    ['state: {backend: s3, bucket: abc}', 3, 1, 's3', 'key'],
    ['environments: {e: {state: {backend: s3, bucket: abc}}}', 3, 20, 's3', 'key'],
    ['state: {backend: postgres}\nenvironments: {e: {state: {name: y}}, f: {}}', 3, 1, 'postgres', 'name'],
    ['state: {backend: postgres, name: x}\nenvironments: {e: {state: {backend: s3, bucket: abc}}}', 4, 20, 's3', 'key'],
  ])('is missing in %s', (text, line, column, backend, setting) => {
    const says = `missing_field ${line}:${column} the backend ${backend} needs the name of the project, or ${setting} in its settings: the state is shared, and nothing here says which one it is`
    expect(mistakes(project(text))).toEqual([says])
  })

  test.each([
    'name: shop\nstate: {backend: postgres}',
    'state: {backend: postgres, name: x}',
    'state: {backend: postgres, name: x}\nenvironments: {e: {}, f: {state: {schema: y}}}',
    'state: {backend: s3, bucket: abc, key: k}',
    'state: {backend: s3, bucket: abc, key: k}\nenvironments: {e: {state: {bucket: def}}}',
    'state: {backend: http, address: "https://h/s"}',
    'environments: {e: {state: {path: x.json}}}',
    '',
  ])('is not needed in %s', (text) => {
    expect(mistakes(project(text))).toEqual([])
  })

  test.each([
    ['state: {backend: postgres}', '/home/infra', 'name: infra'],
    ['state: {backend: postgres}', '/home/1.5', 'name: "1.5"'],
    ['state: {backend: s3, bucket: abc}', '/home/infra', 'name: infra'],
    ['state: {backend: postgres}', '/home/our infra', 'state.name: our infra'],
    ['state: {backend: s3, bucket: abc}', '/home/our infra', 'state.key: our-infra/state.json'],
    ['environments: {e: {state: {backend: postgres}}}', '/home/our infra', 'environments.e.state.name: our infra'],
  ])('%s in %s is where it was with the line of the hint', (text, folder, line) => {
    expect(hintOf(text, folder)).toBe(`write \`${line}\` into iac.yaml: what was applied from this folder lies there`)
  })
})

describe('the folder of the sandbox', () => {
  test.each([
    ['state: {path: .iac/sandbox/state.json}', '3:15', '.iac/sandbox/state.json'],
    ['state: {path: ./x/../.iac//sandbox/mine/s.json}', '3:15', './x/../.iac//sandbox/mine/s.json'],
    ['state: {path: .IAC/Sandbox/state.json}', '3:15', '.IAC/Sandbox/state.json'],
    ['state: {path: .iac/sandbox}', '3:15', '.iac/sandbox'],
    ['state: {path: /p/.iac/sandbox/state.json}', '3:15', '/p/.iac/sandbox/state.json'],
    ['environments: {e: {state: {path: .iac/sandbox/state-e.json}}}', '3:34', '.iac/sandbox/state-e.json'],
  ])('%s is refused', (text, place, path) => {
    expect(mistakes(project(text))).toEqual([`invalid_value ${place} state.path: ${path} lies in the folder of the sandbox`])
  })
  test.each(['.iac/sandbox.json', '.iac/sandboxes/s.json', 'sandbox/state.json'])('%s is taken', (path) => {
    expect(mistakes(project(`state: {path: ${path}}`))).toEqual([])
  })
})
