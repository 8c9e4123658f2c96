// Policies of iac.yaml, of the files that it names, and of files that the command line names.
import * as z from 'zod'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Meter } from '../../base/meter.ts'
import { pointerOf } from '../../base/pointer.ts'
import type { ProjectFile } from '../configuration/project-file.ts'
import { policyFields } from '../configuration/project-schema.ts'
import type { Files } from '../files/files.ts'
import { decodeUtf8, maxManifestBytes } from '../files/files.ts'
import type { Turns } from '../files/turns.ts'
import { issuesOf } from '../findings/issues.ts'
import { narrow } from '../findings/schema.ts'
import { createSource } from '../findings/source.ts'
import type { Policy, PolicyText, PolicyVariables } from '../resolving/policy.ts'
import { compilePolicy, doubledPolicies } from '../resolving/policy.ts'
import { readYamlInTurns } from '../yaml/documents.ts'
import type { YamlDocument } from '../yaml/documents.ts'
import { hidesValues } from '../yaml/secret-lines.ts'

/** What came of reading policies. */
export interface PoliciesRead {
  readonly policies: readonly Policy[]
  readonly problems: readonly Diagnostic[]
}

export interface PolicyReading {
  readonly files: Files
  readonly folder: string
  readonly variables: PolicyVariables
  readonly meter: Meter
}

const fileSchema = z.strictObject({ policies: z.array(policyFields.omit({ file: true })) })

/** The policies of a project file, with those of the files that it names in their place. */
export function* projectPolicies(project: ProjectFile, reading: PolicyReading): Turns<PoliciesRead> {
  const policies: Policy[] = []
  const problems: Diagnostic[] = []
  for (const [at, fields] of (project.fields.policies ?? []).entries()) {
    yield
    const position = positionsIn(project.document, at)
    const { file, ...own } = fields
    if (file !== undefined && Object.values(own).some((one) => one !== undefined))
      problems.push(diagnostic('invalid_value', 'file stands alone: what else it holds belongs into that file', { position: position('file') }))
    const found =
      file === undefined
        ? one(compilePolicy({ fields: own, position }, reading.variables))
        : yield* policyFile({ path: `${reading.folder}/${file}`, shown: file, root: reading.folder, position: position('file') }, reading)
    policies.push(...found.policies)
    problems.push(...found.problems)
  }
  return { policies, problems: [...problems, ...doubledPolicies(policies)] }
}

interface PolicyFile {
  readonly path: string
  readonly shown: string
  /** Where it must lie; undefined for one that its user names. */
  readonly root: string | undefined
  readonly position?: PolicyText['position'] extends (...args: never) => infer P ? P : never
}

/** The policies of one file: a map with `policies:`. */
export function* policyFile({ path, shown, root, position }: PolicyFile, { files, variables, meter }: PolicyReading): Turns<PoliciesRead> {
  const read = files.read(path, { ...(root === undefined ? {} : { root }), limitBytes: maxManifestBytes })
  if (read.bytes === undefined) return wrong(diagnostic('file_unreadable', `${shown}: ${read.problem}`, { position }))
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) return wrong(diagnostic('file_unreadable', `${shown}: ${decoded.problem}`, { position }))
  const yaml = yield* readYamlInTurns(createSource(shown, decoded.text), { all: true, hides: hidesValues, meter })
  const [document, second] = yaml.documents
  if (yaml.problems.length > 0) return { policies: [], problems: yaml.problems }
  if (!document || second) return wrong(diagnostic('invalid_value', `${shown}: a file of policies is one document, a map with policies:`, { position }))
  const value = narrow(document.value)
  const { issues } = issuesOf(fileSchema, value)
  if (issues.length > 0)
    return {
      policies: [],
      problems: issues.map(({ code, summary, path: at, key, hint }) =>
        diagnostic(code, summary, { position: document.position(pointerOf(at), { key }), hint }),
      ),
    }
  const results = fileSchema.parse(value).policies.map((fields, at) => one(compilePolicy({ fields, position: positionsIn(document, at) }, variables)))
  return { policies: results.flatMap((found) => found.policies), problems: results.flatMap((found) => found.problems) }
}

function wrong(found: Diagnostic): PoliciesRead {
  return { policies: [], problems: [found] }
}

function one({ policy, problems }: ReturnType<typeof compilePolicy>): PoliciesRead {
  return { policies: policy ? [policy] : [], problems }
}

function positionsIn(document: YamlDocument, at: number): PolicyText['position'] {
  return (member, offset) => document.position(pointerOf(['policies', at, ...(member === '' ? [] : [member])]), offset === undefined ? {} : { offset })
}
