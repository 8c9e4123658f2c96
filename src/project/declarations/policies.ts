// Policies of iac.yaml, of the files that it names, and of files that the command line names.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { pointerOf } from '../../base/pointer.ts'
import { isLiteral } from '../configuration/literal-settings.ts'
import { policyFields } from '../configuration/project-schema.ts'
import type { Files } from '../files/files.ts'
import { decodeUtf8, maxManifestBytes, outsideProblem } from '../files/files.ts'
import type { Turns } from '../files/turns.ts'
import { issuesOf } from '../findings/issues.ts'
import { salvage } from '../findings/salvage.ts'
import { narrow } from '../findings/schema.ts'
import { createSource } from '../findings/source.ts'
import type { NamedPolicy, Policy, PolicyText, PolicyVariables } from '../resolving/policy.ts'
import { compilePolicy, doubledPolicies } from '../resolving/policy.ts'
import { readYamlInTurns } from '../yaml/documents.ts'
import type { YamlDocument } from '../yaml/documents.ts'
import { hidesValues } from '../yaml/secret-lines.ts'

/** What came of reading policies. */
export interface PoliciesRead {
  readonly policies: readonly Policy[]
  /** Those that have a name, the wrong ones among them. */
  readonly named: readonly NamedPolicy[]
  readonly problems: readonly Diagnostic[]
}

export interface PolicyReading {
  readonly files: Files
  readonly folder: string
  readonly variables: PolicyVariables
  readonly meter: Meter
}

const ownFields = policyFields.omit({ file: true })
const fileSchema = z.strictObject({ policies: z.array(ownFields) })

/** The policies of a project file, with those of the files that it names in their place; what does not fit the file's schema is told by who reads it. */
export function* projectPolicies(document: YamlDocument, reading: PolicyReading): Turns<PoliciesRead> {
  const policies: Policy[] = []
  const named: NamedPolicy[] = []
  const problems: Diagnostic[] = []
  for (const { fields, position, isDoubtful } of entriesOf(document, policyFields)) {
    yield
    const { file, ...own } = fields
    if (file !== undefined && Object.values(own).some((one) => one !== undefined))
      problems.push(diagnostic('invalid_value', 'file stands alone: what else it holds belongs into that file', { position: position('file') }))
    if (file !== undefined && isLiteral(file)) continue
    const found =
      file === undefined
        ? one(compilePolicy({ fields: own, position, isDoubtful }, reading.variables))
        : yield* projectPolicyFile(file, position('file'), reading)
    policies.push(...found.policies)
    named.push(...found.named)
    problems.push(...found.problems)
  }
  return { policies, named, problems: [...problems, ...doubledPolicies(named)] }
}

/** Of what lies outside it is not even told whether it is there. */
function* projectPolicyFile(file: string, position: Position, reading: PolicyReading): Turns<PoliciesRead> {
  const path = resolve(reading.folder, file)
  const way = relative(reading.folder, path)
  const isOutside = isAbsolute(way) || way.split(sep)[0] === '..'
  const problem = isOutside ? outsideProblem : isAbsolute(file) ? 'a path is relative to the project folder' : undefined
  if (problem !== undefined) return wrong(diagnostic('file_unreadable', `${file}: ${problem}`, { position }))
  return yield* policyFile({ path, shown: file, root: reading.folder, position }, reading)
}

interface PolicyFile {
  readonly path: string
  readonly shown: string
  /** Where it must lie; undefined for one that its user names. */
  readonly root: string | undefined
  readonly position?: Position
}

/** The policies of one file: a map with `policies:`. */
export function* policyFile({ path, shown, root, position }: PolicyFile, { files, variables, meter }: PolicyReading): Turns<PoliciesRead> {
  const read = files.read(path, { ...(root === undefined ? {} : { root }), limitBytes: maxManifestBytes })
  if (read.bytes === undefined) return wrong(diagnostic('file_unreadable', `${shown}: ${read.problem}`, { position }))
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) return wrong(diagnostic('file_unreadable', `${shown}: ${decoded.problem}`, { position }))
  const yaml = yield* readYamlInTurns(createSource(shown, decoded.text), { all: true, hides: hidesValues, meter })
  const [document, second] = yaml.documents
  if (yaml.problems.length > 0) return { policies: [], named: [], problems: yaml.problems }
  if (!document || second) return wrong(diagnostic('invalid_value', `${shown}: a file of policies is one document, a map with policies:`, { position }))
  const { issues } = issuesOf(fileSchema, narrow(document.value))
  const misfits = issues.map(({ code, summary, path: at, key, hint }) =>
    diagnostic(code, summary, { position: document.position(pointerOf(at), { key }), hint }),
  )
  const results = entriesOf(document, ownFields).map((entry) => one(compilePolicy(entry, variables)))
  const [policies, named] = [results.flatMap((found) => found.policies), results.flatMap((found) => found.named)]
  return { policies, named, problems: [...misfits, ...results.flatMap((found) => found.problems)] }
}

/** The entries below `policies`, each as far as it fits its schema: one mistake hides neither what else is wrong in it nor the others. */
function entriesOf<T>(document: YamlDocument, schema: z.ZodType<T>) {
  const list = isObject(document.value) ? document.value.policies : undefined
  return (list !== undefined && isList(list) ? list : []).flatMap((entry, at) => {
    const value = narrow(entry)
    const isDoubtful = !schema.safeParse(value).success
    const fields = isObject(value) ? salvage(schema, value) : undefined
    return fields === undefined ? [] : [{ fields, isDoubtful, position: positionsIn(document, at) }]
  })
}

function wrong(found: Diagnostic): PoliciesRead {
  return { policies: [], named: [], problems: [found] }
}

function one({ policy, named, problems }: ReturnType<typeof compilePolicy>): PoliciesRead {
  return { policies: policy ? [policy] : [], named: named ? [named] : [], problems }
}

function positionsIn(document: YamlDocument, at: number): PolicyText['position'] {
  return (member, offset) => document.position(pointerOf(['policies', at, ...(member === '' ? [] : [member])]), offset === undefined ? {} : { offset })
}
