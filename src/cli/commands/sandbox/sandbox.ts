// `iac sandbox`: the embedded service over HTTP on loopback, until it is stopped.
import { join, relative, resolve } from 'node:path'
import { failure } from '../../../base/diagnostic.ts'
import { stringifyJson } from '../../../base/json.ts'
import { nearest } from '../../../base/words/nearest.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { presetNames, switchOn } from '../../../sandbox/faults/fault-presets.ts'
import type { PresetName } from '../../../sandbox/faults/fault-presets.ts'
import { createHost } from '../../../sandbox/host.ts'
import type { Host } from '../../../sandbox/host.ts'
import { pageAddress, pageResponse } from '../../../sandbox/page/page.ts'
import type { Settings } from '../../../sandbox/readings/questions.ts'
import { compatFor } from '../../../sandbox/readings/reading-compat.ts'
import { serveSandbox } from '../../../sandbox/server.ts'
import { profiles } from '../../../sandbox/time/durations.ts'
import type { PlaceOptions } from '../../../sandbox/time/place.ts'
import { idleFlags } from '../../arguments/flags.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { changeByHand, driftedAt, driftedProject, inFile, presetManifests, sandboxPresets } from '../../sandbox/presets.ts'
import { forgetRunning, leaveRunning, runningFile } from '../../sandbox/running.ts'
import { clockOf, readingsGiven, sandboxFlags, strainsGiven, tokenGiven } from '../../sandbox/settings.ts'
import { checkOwnPlace } from '../../storage/own-places.ts'

const TOKEN_BYTES = 24

export const sandboxCommand = defineCommand({
  summary: 'run the embedded service',
  about: 'Serves the whole API on loopback until it is stopped. Without --data nothing is kept; what a folder holds already goes before seeds and presets.',
  arguments: [],
  flags: sandboxFlags,
  idle: idleFlags.withoutProject,
  examples: [
    { text: 'sandbox --data ./sandbox-data', about: 'a service that keeps its data' },
    { text: 'sandbox --json', about: 'prints {"url","token","operator_token","control_token","password"} on one line when it is ready' },
    { text: 'sandbox --preset small-team --clock jumping', about: 'something to look at, and nothing to wait for' },
  ],
  async run(context, given) {
    const { surroundings, print, globals } = context
    surroundings.graceful(true)
    const faults = given.list('fault').map(faultPreset)
    const readings = readingsGiven(given)
    const opened = await openHost(context, given, readings)
    try {
      for (const name of faults) switchOn(opened.host.place.sandbox.faults, name)
      opened.host.place.sandbox.faults.keep()
      const server = await serve(opened.host, given)
      const { token, operatorToken, password } = opened.host.place.sandbox
      const address = { url: server.url, token, operator_token: operatorToken, control_token: opened.host.controlToken, password }
      const file = runningFile(context.folder)
      checkOwnPlace(surroundings, context.folder, file)
      leaveRunning(file, { ...address, pid: surroundings.processId }, surroundings.userId)
      const drawn = given.number('readings-seed') === undefined ? {} : { readings }
      const compat = compatFor(readings)
      const asked = Object.keys(compat).length === 0 ? {} : { compat }
      if (globals.switch('json')) print.result(`${stringifyJson({ ...address, ...drawn, ...asked })}\n`)
      else print.result(readyText(address, drawn.readings, asked.compat) + driftText(opened.drifted, surroundings.workingFolder) + '^C stops it.\n')
      await stopped(surroundings.stop)
      await server.close()
      await forgetRunning(file, address, surroundings.userId)
    } finally {
      await opened.close()
    }
    return 0
  },
})

function faultPreset(text: string): PresetName {
  const known = presetNames.find((name) => name === text)
  if (known !== undefined) return known
  const near = nearest(text, presetNames)
  throw failure('usage', `--fault ${text} is not one of ${presetNames.join(', ')}`, near === undefined ? {} : { hint: `did you mean ${near}?` })
}

interface Address {
  readonly url: string
  readonly token: string
  readonly operator_token: string
  readonly control_token: string
  readonly password: string
}

function readyText(address: Address, readings: object | undefined, compat: Settings | undefined): string {
  const { url, token, operator_token: operatorToken, control_token: controlToken, password } = address
  const drawn = Object.entries(readings ?? {}).map(([name, value]) => `  --reading ${name}=${String(value)}\n`)
  const asked = compat === undefined ? '' : `  in iac.yaml: provider.compat: ${stringifyJson(compat)}\n`
  const variables = `  export IAC_BASE_URL=${url}\n  export IAC_TOKEN=${token}\n`
  const page = `  page: ${pageAddress(url, controlToken)}\n`
  const accounts = `  accounts: owner@sandbox.test and operator@sandbox.test, both with the password ${password}\n`
  const operator = `  operator, for what is staff's alone: IAC_TOKEN=${operatorToken}\n`
  return `The sandbox listens on ${url}\n${variables}${operator}${accounts}${page}  control: ${url}/_sandbox/health with the header x-sandbox-token: ${controlToken}\n${drawn.join('')}${asked}`
}

function driftText(folder: string | undefined, from: string): string {
  return folder === undefined ? '' : `  what was changed by hand: iac drift --dir ${shellWord(relative(from, folder))}\n`
}

interface OpenHost {
  readonly host: Host
  /** The folder of a project for which something has drifted. */
  readonly drifted: string | undefined
  close(): Promise<void>
}

async function openHost(context: Context, given: Given, readings: PlaceOptions['readings']): Promise<OpenHost> {
  const { surroundings } = context
  const within = (path: string): string => resolve(surroundings.workingFolder, path)
  const data = given.text('data')
  const [clock, token] = [clockOf(given), tokenGiven(given)]
  const catalogue = await catalogueGiven(context, given)
  const folder =
    data === undefined ? undefined : await (await import('../../sandbox/folder.ts')).openFolder(surroundings, within(data), surroundings.workingFolder)
  const close = async (): Promise<void> => await folder?.close()
  // What a seed makes is kept whole or not at all: a folder with half of it would never be seeded again.
  let isFilled = folder?.snapshot !== undefined
  try {
    const host = createHost({
      base: surroundings.clock,
      ...clock,
      profile: profiles.find((one) => one === given.text('profile')) ?? 'fast',
      latencyMs: given.number('latency') ?? 0,
      readings: readings ?? {},
      strains: strainsGiven(given),
      ...(catalogue ? { catalogue } : {}),
      ...(folder ? { onChange: (event) => void (isFilled && folder.onChange(event)), onMoved: (wallMs) => void (isFilled && folder.keepInstant(wallMs)) } : {}),
      ...(folder && { secret: folder.secret }),
      ...(token === undefined ? {} : { token }),
      ...(folder?.snapshot === undefined ? {} : { snapshot: folder.snapshot }),
      controlToken: Buffer.from(surroundings.randomBytes(TOKEN_BYTES)).toString('base64url'),
      version: surroundings.version,
    })
    if (folder?.snapshot !== undefined) {
      noteUnseeded(context, given)
      if (folder.origin !== undefined) host.place.sandbox.keepOrigin(folder.origin)
      return { host, drifted: given.text('preset') === 'drifted' ? driftedAt(driftedPlace(context, given)) : undefined, close }
    }
    const drifted = await fill(context, given, host, readings)
    isFilled = true
    const seeded = host.place.sandbox.snapshot()
    if (given.text('preset') !== undefined || given.text('seed') !== undefined) {
      host.place.sandbox.keepOrigin(seeded)
      folder?.keepOrigin(seeded)
    }
    folder?.onChange({ snapshot: seeded })
    folder?.keepInstant(host.place.clock.wall())
    return { host, drifted, close }
  } catch (error) {
    await close()
    throw folder ? folder.told(error) : error
  }
}

/** On standard error also with --json: a run that goes on with other objects than it asked for must be told. */
function noteUnseeded({ print, globals }: Context, given: Given): void {
  if (given.text('seed') === undefined && given.text('preset') === undefined) return
  if (!globals.switch('quiet')) print.aside(`${given.text('data') ?? ''} holds data already: nothing is seeded`)
}

/** Only what is asked for is loaded: the engine that carries out seeds is much code. Returns the folder of the project that has drifted. */
async function fill(context: Context, given: Given, { place }: Host, readings: PlaceOptions['readings']): Promise<string | undefined> {
  const preset = sandboxPresets.find((one) => one === given.text('preset')) ?? 'empty'
  const manifests = presetManifests[preset]
  const seed = given.text('seed')
  if (manifests === undefined && seed === undefined) return undefined
  const { seedSandbox } = await import('./seed.ts')
  const compat = compatFor(readings ?? {})
  const drifted = preset === 'drifted' ? await driftedProject(driftedPlace(context, given), context.surroundings.userId) : undefined
  const shown = `presets/${preset}`
  const fillFrom = async (path: string): Promise<void> => void (await seedSandbox(context, place, { path, shown, compat, keepsState: drifted !== undefined }))
  if (drifted !== undefined) await fillFrom(drifted)
  else if (manifests !== undefined) await inFile(manifests, fillFrom)
  if (seed !== undefined) await seedSandbox(context, place, { path: resolve(context.surroundings.workingFolder, seed), shown: seed, compat })
  if (drifted !== undefined) changeByHand(place.sandbox.world)
  place.sandbox.tick()
  return drifted
}

/**
 * With the data, whose folder is locked, so that the state stays with the objects; those of a sandbox without data last as long as the process.
 * Below an `.iac`, which no project around it looks into for manifests.
 */
function driftedPlace({ folder, surroundings }: Context, given: Given): string {
  const data = given.text('data')
  return join(data === undefined ? folder : resolve(surroundings.workingFolder, data), '.iac')
}

async function catalogueGiven(context: Context, given: Given): Promise<PlaceOptions['catalogue']> {
  const [path, seed] = [given.text('catalogue'), given.text('seed')]
  if (path === undefined && seed === undefined) return undefined
  const { besideSeed, readCatalogue } = await import('./catalogue.ts')
  const file = path ?? besideSeed(context.surroundings.workingFolder, seed ?? '')
  return file === undefined ? undefined : await readCatalogue(context, file)
}

async function serve(host: Host, given: Given): ReturnType<typeof serveSandbox> {
  const port = given.number('port')
  try {
    const server = await serveSandbox({
      sandbox: host,
      fetch: (request) => pageResponse(request) ?? host.fetch(request),
      ...(port === undefined ? {} : { port }),
    })
    host.servedAt(server.url)
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES'))
      throw usageFailure(`--port ${port} cannot be used (${error.code})`)
    throw error
  }
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
}
