// The page on policies: how they are judged, and each of examples/policies as it stands there.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { block, code, page, table } from '../../src/cli/documents/markdown.ts'
import { policyFields } from '../../src/project/configuration/project-schema.ts'

const folder = 'examples/policies'
const files = ['network.yaml', 'data.yaml', 'servers.yaml', 'containers.yaml', 'money.yaml', 'access.yaml']

const ABOUT = `A policy is a rule that every plan of a project is held against: CEL, as in [expressions](expressions.md), over what changes, what is to be there, or the plan as a whole. Policies stand in \`iac.yaml\` below \`policies:\`, in files that it names (\`{ file: policies/network.yaml }\`, a map with \`policies:\`), and in files of the command line: \`--policy FILE\`, repeatable, or \`IAC_POLICIES\`. Their names are unique over all of them.`

const READS = `## What a policy reads

- \`each: change\`: judged for each change, which is \`it\`: a [change of the plan](plan.md#a-change), with \`address\`, \`kind\`, \`action\` (\`create\`, \`update\`, \`replace\`, \`delete\`, \`import\`, \`forget\`), \`reason\`, \`before\`, \`after\`, \`disruption\` (\`none\`, \`restart\`, \`interruption\`, \`address_loss\`, \`data_loss\`) and the rest. A no-op is no change. \`before\` is null where nothing was there, \`after\` where nothing will be.
- \`each: resource\`: judged for each resource as it is to be, changed or not: \`it\` is \`{ address, kind, spec, protected }\`; \`protected\` is whether it has \`prevent_destroy\`.
- Without \`each\` it is judged once, over \`plan\`: \`changes\` (no-ops among them), \`summary\`, \`cost\` and \`quota\`.

\`plan\`, \`environment\` (null for none) and \`vars\` can be read in each of them. A field that is not set is not there: \`has(it.spec.remote)\` asks for it. References are ids, as in a plan. Where \`when\` is false, nothing is judged; where \`assert\` is false, the policy is broken, and \`message\` says why, with \`\${…}\` in it.

There is no clock, no file and no request in a policy. What depends on a sensitive value is an error.`

const JUDGED = `## When it is judged

- \`iac validate\` judges what is about resources alone (\`each: resource\`, without \`plan\`), as far as it is known without any request.
- \`iac plan\`, \`apply\` and \`destroy\` judge all of them. A broken policy ends them with 5 and with the whole plan shown; with \`level: warn\` it is told, and nothing more.
- A saved plan is held against the policies of the project and of the command line at the time of its apply.
- What is known after the apply alone is a warning in the plan, and is judged again right before the first effect on that resource; broken there, that operation fails, and the apply ends with 8. So does one that reads the plan, at the resource whose value it waited for.
- A policy that cannot be judged, because a field that it reads is not there or because it gives no bool, is as good as broken.

\`--override NAME --reason TEXT\` lets a broken policy pass, once. The history of the state keeps who it was, the policy and the reason: \`iac state history\`.`

const LIBRARY = `## Twenty policies

All of [examples/policies](../../examples/policies), whose tests hold each of them against a project that it stops and one that it lets pass. Lists of regions, plans and registries, and the numbers, are to be made your own.`

/** The page's text; \`npm run generate\` writes it, from the project's root. */
export async function policiesPage(): Promise<string> {
  const fields = Object.entries(policyFields.shape).map(([name, field]) => [code(name), field.description ?? ''])
  return page('Policies', [ABOUT, table(['member', 'about'], fields), READS, JUDGED, LIBRARY, ...(await Promise.all(files.map(sectionOf)))])
}

/** A file's policies, each under its name: what its comment says, and its YAML. */
async function sectionOf(name: string): Promise<string> {
  const text = await readFile(join(folder, name), 'utf8')
  const [, about = ''] = /^# (.*)\n/.exec(text) ?? []
  const policies = [...text.matchAll(/^ {2}# (.*)\n( {2}- name: (\S+)\n(?: {4}.*\n)*)/gm)]
  const parts = policies.map(([, purpose = '', yaml = '', policy = '']) => `#### ${policy}\n\n${purpose}\n\n${block('yaml', yaml.replaceAll(/^ {2}/gm, ''))}`)
  return [`### [${name}](../../${folder}/${name})`, about, ...parts].join('\n\n')
}
