// What becomes of resources: lifecycle, moved, removed and guards.
import { metadataSchema } from '../../../project/configuration/manifest-schema.ts'
import { projectSchema } from '../../../project/configuration/project-schema.ts'
import { schemaFields } from '../kind-text.ts'
import type { Topic } from './topic.ts'

const project = 'apiVersion: iac/v1\nkind: Project\nname: shop\n'
const vpc = (name: string, metadata = '', description = 'for the web servers') => `apiVersion: iac/v1
kind: Vpc
metadata:
  name: ${name}
${metadata}spec:
  name: backbone
  description: ${description}
  range: 10.20.0.0/24
`
const made = (text: string, files: Readonly<Record<string, string>> = {}) => ({
  files: { ...files, 'main.yaml': text },
  command: 'apply --sandbox --auto-approve',
  prints: ['Apply complete! Resources: 1 added, 0 changed, 0 destroyed.'],
})

const lifecycle: Topic = {
  names: ['lifecycle'],
  title: 'lifecycle',
  about: [
    '`metadata.lifecycle` says what iac may do with the object, and what it leaves alone; `ignore_changes` takes a list as a whole (`/vpcs`, not `/vpcs/0`).',
    'A change of a field that the service cannot update replaces the object (`iac explain Instance` marks these fields). As a rule the old object goes first; where something that stays holds on to it, the new one is made first, and the plan says so.',
    'Protection is kept in the state: taking the manifest away does not lift it, an apply of the manifest without `prevent_destroy` does.',
  ],
  fields: schemaFields(metadataSchema, ['lifecycle'], 'metadata.'),
  scenes: [
    {
      title: 'Protected',
      stages: [
        made(vpc('main', '  lifecycle: { prevent_destroy: true }\n')),
        { files: {}, command: 'destroy --sandbox --auto-approve', prints: ['error: Vpc/main would be destroyed, and prevent_destroy protects it'] },
      ],
    },
    {
      title: 'A field that others change',
      stages: [
        made(vpc('main', '  lifecycle: { ignore_changes: [/description] }\n')),
        {
          files: { 'main.yaml': vpc('main', '  lifecycle: { ignore_changes: [/description] }\n', 'another text') },
          command: 'plan --sandbox',
          prints: ['No changes. Your infrastructure matches the manifests.'],
        },
      ],
    },
    {
      title: 'Kept when its manifest goes',
      stages: [
        made(vpc('main', '  lifecycle: { on_remove: retain }\n')),
        {
          files: { 'main.yaml': vpc('other').replace('backbone', 'other') },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy, 1 to forget.'],
        },
      ],
    },
  ],
}

const moved: Topic = {
  names: ['moved', 'removed'],
  title: 'moved and removed',
  about: [
    'The state knows objects by their addresses. A manifest with another name is another resource: the plan deletes one and creates one, and hints at `moved`. With `moved` in `iac.yaml` the object stays, and only its address changes. All moves happen at once; `Kind/a` to `Kind/b` takes the keys of a `for_each` along. Once every state has the new address, the entry can go.',
    '`removed` says what becomes of the object of a manifest that is gone: `destroy: false` forgets it without touching it. Without an entry it is deleted.',
    'Where a project has environments, an entry about keys of a `for_each` may be meant for one of them: in another one, where they are still declared (`from` and not `to`, or the `address`), it is nothing. `from` and `to` both declared is a mistake everywhere; so is a `from` or an `address` that is still declared and has no key, or where there are no environments.',
  ],
  fields: schemaFields(projectSchema, ['moved', 'removed']),
  scenes: [
    {
      title: 'Another name',
      stages: [
        made(vpc('main'), { 'iac.yaml': project }),
        {
          files: { 'iac.yaml': `${project}moved:\n  - { from: Vpc/main, to: Vpc/backbone }\n`, 'main.yaml': vpc('backbone') },
          command: 'plan --sandbox',
          prints: ['# Vpc/main has moved to Vpc/backbone', 'Plan: 0 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
    {
      title: 'Forgotten, not deleted',
      stages: [
        made(vpc('main'), { 'iac.yaml': project }),
        {
          files: {
            'iac.yaml': `${project}removed:\n  - { address: Vpc/main, destroy: false }\n`,
            'main.yaml': vpc('other').replace('backbone', 'other'),
          },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy, 1 to forget.'],
        },
      ],
    },
  ],
}

const guards: Topic = {
  names: ['guards'],
  title: 'guards',
  about: [
    'A guard stops an apply that would do more than is meant, with exit code 5, before anything is changed.',
    '`guards.max_destroy` in `iac.yaml` is the most deletions and replacements of one apply or destroy; `--max-destroy N` allows more for one run. `--no-destroy` allows none. `lifecycle.prevent_destroy` protects one resource, and no flag lifts it.',
    'An apply without any manifest, while the state holds something, is refused as well: `iac destroy` says that it is meant.',
  ],
  fields: schemaFields(projectSchema, ['guards']),
  scenes: [
    {
      title: 'No deletion without a word',
      stages: [
        made(vpc('main'), { 'iac.yaml': `${project}guards: { max_destroy: 0 }\n` }),
        { files: {}, command: 'destroy --sandbox --auto-approve', prints: ['error: the plan destroys 1, and max_destroy allows 0'] },
        { files: {}, command: 'destroy --sandbox --auto-approve --max-destroy 1', prints: ['Destroy complete! Resources: 1 destroyed.'] },
      ],
    },
  ],
}

const policies: Topic = {
  names: ['policies', 'policy'],
  title: 'policies',
  about: [
    'A policy is a rule that every plan is held against: CEL, with `plan` (changes, summary, cost, quota), `vars`, `environment`, and `it` where `each` says so. Policies stand below `policies` in `iac.yaml`, in files that it names (a map with `policies:`), in those of `--policy FILE`, and in those of IAC_POLICIES.',
    '- `each: change` judges each change as plans have it, and what stays as it is is none; `each: resource` judges each resource as desired: `address`, `kind`, `spec`, `protected`. Without `each` a policy is judged once.',
    '- Where `when` is false nothing is judged. Where `assert` is false the policy is broken: `level: deny`, the default, refuses plan and apply with exit code 5; `warn` tells of it.',
    '- What is not known yet is a warning, and is judged again before the first effect on the object; what is broken then fails that operation.',
    '- What depends on a sensitive value cannot be judged, and refuses the plan, since what a policy finds is told.',
    '- `--override NAME --reason TEXT` lets one pass. Who did so and why stands in `iac state history`.',
    '`iac validate` judges those of `each: resource` that need nothing of the plan. A saved plan is held against the policies of the time when it is applied.',
  ],
  fields: schemaFields(projectSchema, ['policies']),
  scenes: [
    {
      title: 'Networks stay',
      stages: [
        made(vpc('main'), {
          'iac.yaml': `${project}policies:\n  - name: networks-stay\n    each: change\n    when: "it.kind == 'Vpc'"\n    assert: "it.action != 'delete'"\n    message: "\${it.address} would be deleted"\n`,
        }),
        { files: {}, command: 'destroy --sandbox --auto-approve', prints: ['error: Vpc/main: breaks the policy networks-stay: Vpc/main would be deleted'] },
        {
          files: {},
          command: 'destroy --sandbox --auto-approve --override networks-stay --reason moved',
          prints: ['Destroy complete! Resources: 1 destroyed.'],
        },
      ],
    },
  ],
}

/** The sections on what becomes of resources, in the order of the page. */
export const lifecycleTopics = { lifecycle, moved, guards, policies }
