// Addresses in no state on an instance that goes: named where no answer tells them from those that came with it.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, instance, said, saved, vpc } from './stage.ts'

const address = (on: string) => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\ndns: mail.example.com\ninstance: ${on}`)

describe('an address that somebody attached and nobody manages', () => {
  const hung = async (ips: string) => {
    const world = createWorld({ sandbox: { readings: { attachedIps: 'deleted' } } })
    const theirs = world.beside()
    await theirs.apply(address('null').replace('instance: null', '').trimEnd())
    await world.apply(all(instance('web', ips), vpc('main')))
    const { tables } = world.sandbox.world
    const own = tables.ips.all().find((one) => one.dns !== null)
    tables.ips.update(own?.id ?? '', { instanceId: tables.instances.all()[0]?.id ?? null })
    return { world, own, granted: tables.ips.all().find(({ family, dns }) => family === 'IPv4' && dns === null) }
  }
  test.each([
    ['goes', vpc('main'), []],
    ['is replaced', all(instance('web'), vpc('main')), ['Instance/web']],
  ])('is named where its instance %s, with what it cannot be told from, and nothing is taken off', async (_, texts, replace) => {
    const { world, own, granted } = await hung('')
    const { plan } = await world.plan(texts, { replace })
    const names = [granted, own].map((one) => `address ${one?.address} (id ${one?.id})`)
    expect(said(plan)).toEqual([`advice Instance/web: its deletion may take along what nobody manages: ${names.join(', ')}`])
    expect(brief(plan).join()).not.toContain('detach address')
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
  })
  test('is not named for addresses that came with the instance, as a plan grants them or as declared', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), instance('api', 'ips: [{ family: IPv4, ddos: false }, { family: IPv4, ddos: false }]'), vpc('main')))
    expect(said((await world.plan(vpc('main'))).plan)).toEqual([])
  })
  test('is no matter of an address that is in the state', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), address('web')))
    expect(said((await world.plan(all(instance('web'), address('web')), { replace: ['Instance/web'] })).plan)).toEqual([])
  })
})
