// How resources are declared: documents, references, for_each, and what stands below metadata.
import { manifestSchema, metadataSchema } from '../../../project/configuration/manifest-schema.ts'
import { schemaFields } from '../kind-text.ts'
import type { Topic } from './topic.ts'

const network = `apiVersion: iac/v1
kind: Vpc
metadata:
  name: main
spec:
  description: for the web servers
  range: 10.20.0.0/24
`

const documents: Topic = {
  names: ['documents', 'manifests', 'metadata'],
  title: 'Documents',
  about: [
    'A project is a folder with manifests and, if it needs one, a project file `iac.yaml`. The nearest folder upwards that holds `iac.yaml` is the project; without one the current folder is. Manifests are all `*.yaml` and `*.yml` files in it, or those that `manifests` in `iac.yaml` names. Dot folders and `node_modules` are left out.',
    'A file may hold many documents with `---` between them. A document with `apiVersion: iac/v1` is a manifest of one resource: `kind` says what it is, `metadata` what iac is to know of it, and `spec` holds the fields of the API by their own names (`iac explain Vpc`). Documents of other tools are left alone; `--verbose` names them, and so does every plan that deletes. What seems to be a manifest is an error: where it has another `apiVersion` or none, or is no YAML.',
    'The address of a resource is `Kind/name`, or `Kind/name["key"]` for one of a `for_each`. The name is unique per kind, and the default of `spec.name`. In flags and in `depends_on` a `*` stands for any part of a name: `--target "Instance/web-*"`.',
    'YAML is read as version 1.2: `yes` is a text, there are no merge keys and no tags, and a key may stand once. Sizes are integers of bytes, or texts such as `100GiB`; durations are `90s`, `20m`, `1h30m`. Nothing is coerced: `"22"` is no integer.',
  ],
  // Their members stand in the sections on them.
  fields: schemaFields(manifestSchema).filter((one) => one.path.split('.').length < 3),
  scenes: [
    {
      title: 'Two resources in one file',
      stages: [
        {
          files: {
            'main.yaml': `${network}---
apiVersion: iac/v1
kind: Instance
metadata:
  name: web
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
  vpcs: [main]
`,
          },
          command: 'plan --sandbox',
          prints: ['# Vpc/main will be created', '# Instance/web will be created', 'Plan: 2 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const references: Topic = {
  names: ['references'],
  title: 'References',
  about: [
    'A field that points at another resource (`iac explain Instance.vpcs` shows its kind) takes one of:',
    '- `main`: the manifest of that name, of the kind that the field points at; `nodes["a"]` for one of a `for_each`; `Kind/name` where the field may point at several kinds.',
    '- `{ id: "9007199254740993" }`: an object that this project does not manage. Ids are 64-bit numbers, in quotes; digits alone are an id, too.',
    '- `{ name: "backbone" }`: an object that this project does not manage, looked up in the workspace of the resource when planning. None or several of that name are an error. An expression in it may use variables, `each` and files.',
    'Kinds that are looked up and never declared (`Plan`) are named in the same way: `plan: ryzen-4`.',
    "Every reference is a dependency: what is named is made first, and deleted last. An expression refers, too: `${Vpc['main'].range}` is a field or output of another resource, and its id is `${Vpc['main'].id}`. Objects of different workspaces cannot refer to each other.",
  ],
  scenes: [
    {
      title: 'A name, and a value of another resource',
      stages: [
        {
          files: {
            'main.yaml': `apiVersion: iac/v1
kind: Instance
metadata:
  name: web
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
---
apiVersion: iac/v1
kind: FloatingIp
metadata:
  name: web
spec:
  type: IPv4
  ddos: false
  region: "\${Instance['web'].region}"
  instance: web
`,
          },
          command: 'plan --sandbox',
          prints: ['# FloatingIp/web will be created', 'Plan: 2 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const forEach: Topic = {
  names: ['for_each'],
  title: 'for_each',
  about: [
    '`metadata.for_each` makes one resource per entry of a list of strings or of a map: `Vpc/net["a"]`, `Vpc/net["b"]`. In the manifest `each.key` is the entry or the key, `each.value` the entry or the value. It may be an expression over variables; its keys must be known when planning, unique, and not sensitive.',
    'The resources of a `for_each` are told apart by their keys: an entry that is added or taken out leaves the others as they are. `spec.name` is `NAME-KEY` unless it is written.',
    "Others name one of them as `net[\"a\"]` in a reference and as `Vpc['net']['a'].id` in an expression; `depends_on: [Vpc/net]` means all of them.",
  ],
  fields: schemaFields(metadataSchema, ['for_each'], 'metadata.'),
  scenes: [
    {
      title: 'Networks from a map',
      stages: [
        {
          files: {
            'main.yaml': `apiVersion: iac/v1
kind: Vpc
metadata:
  name: net
  for_each:
    web: 1
    data: 2
spec:
  description: network of \${each.key}
  range: "\${cidr_subnet('10.20.0.0/16', 8, each.value)}"
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: web
  for_each: [one, two]
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
  vpcs: ['net["web"]']
`,
          },
          command: 'plan --sandbox',
          prints: ['# Vpc/net["data"] will be created', '# Instance/web["two"] will be created', 'Plan: 4 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const dependsOn: Topic = {
  names: ['depends_on'],
  title: 'depends_on',
  about: [
    'What a resource names in references and expressions comes before it, and so does what its kind needs by itself (nodes and services need their cluster). `metadata.depends_on` adds an order that neither shows. It lists addresses; `Kind/name` means all of a `for_each`.',
  ],
  fields: schemaFields(metadataSchema, ['depends_on'], 'metadata.'),
  scenes: [
    {
      title: 'An order that nothing else shows',
      stages: [
        {
          files: {
            'main.yaml': `${network}---
apiVersion: iac/v1
kind: Vpc
metadata:
  name: later
  depends_on: [Vpc/main]
spec:
  description: made when the other one is there
  range: 10.21.0.0/24
`,
          },
          command: 'plan --sandbox',
          prints: ['Plan: 2 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const importing: Topic = {
  names: ['import'],
  title: 'import',
  about: [
    '`metadata.import` takes over an object that is there already: the plan says that it is imported, and what it changes on it to make it as the manifest says. Once the state has the object, the line has no effect and can go.',
    "The id stands in quotes, or comes from an expression over variables and `each`, so that a `for_each` can take over many, or from a name: `import: { name: main-net }`, or `{ id: \"${lookup('Vpc', 'main-net').id}\" }`, is looked up in the workspace of the resource when planning, and none or several of that name is an error. `iac import ADDRESS ID` does the same at once, without changing the object, and `iac get Vpc` lists ids.",
  ],
  fields: schemaFields(metadataSchema, ['import'], 'metadata.'),
  scenes: [
    {
      title: 'An object that nothing manages any more',
      stages: [
        { files: { 'main.yaml': network }, command: 'apply --sandbox --auto-approve', prints: ['Apply complete! Resources: 1 added, 0 changed, 0 destroyed.'] },
        { files: {}, command: 'state rm Vpc/main --sandbox', prints: [] },
        { files: {}, command: 'get Vpc --sandbox', prints: ['1152921504607033612'] },
        {
          files: { 'main.yaml': network.replace('  name: main\n', '  name: main\n  import: { id: "1152921504607033612" }\n') },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const takingOver: Topic = {
  names: ['export'],
  title: 'Taking over what is there',
  about: [
    '`iac export --out FOLDER` writes manifests for everything that is live in the workspace of the project: references in place of ids, the networks of a server as its `vpcs`, a `for_each` where objects differ in a key alone, and the id that each takes over. Before it writes, it compares them with what is live as a plan does: a plan right after shows imports and no change. No file is overwritten, `--kind` narrows it, `--by group` puts what hangs on one object into one file.',
    'What the service never shows becomes a variable: secrets, the environment of a service, the region of an address that is attached to nothing, and whether an IPv4 address is protected. So does what the state of the project holds as sensitive. The lines for iac.yaml are printed. Left out, and told, are addresses that may have come with a server; `iac export --kind FloatingIp` has them.',
    '`iac import --generate ADDRESS ID` writes the manifest of one object and imports it at once, `iac import --all` does so for everything that the project does not manage yet. `iac drift --unmanaged` lists that, and `iac fmt` brings manifests of any origin into the same form.',
  ],
  scenes: [
    {
      title: 'A network that nothing manages',
      stages: [
        { files: { 'main.yaml': network }, command: 'apply --sandbox --auto-approve', prints: ['Apply complete! Resources: 1 added, 0 changed, 0 destroyed.'] },
        { files: { 'main.yaml': '# Vpc/main is declared no more.\n' }, command: 'state rm Vpc/main --sandbox', prints: [] },
        { files: {}, command: 'export --sandbox', prints: ['  import: { id: "1152921504607033612" }'] },
        {
          files: {},
          command: 'import --generate Vpc/net 1152921504607033612 --sandbox',
          prints: ['Import successful! Vpc/net is now managed (id 1152921504607033612).'],
        },
      ],
    },
  ],
}

const timeouts: Topic = {
  names: ['timeouts'],
  title: 'timeouts',
  about: [
    '`metadata.timeouts` says how long one operation may take, with all its requests, waits and retries. Without it a create has 30 minutes (a K3sCluster 60), an update and a deletion have 20.',
    'What is not done in time is no failure of the object: the run ends with exit code 8, everything is recorded, and the next apply goes on waiting, with the whole time again.',
  ],
  fields: schemaFields(metadataSchema, ['timeouts'], 'metadata.'),
  scenes: [
    {
      title: 'More time for a large server',
      stages: [
        {
          files: {
            'main.yaml': `apiVersion: iac/v1
kind: Instance
metadata:
  name: web
  timeouts: { create: 1h30m, delete: 10m }
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
`,
          },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

/** The sections on manifests, in the order of the page. */
export const resourceTopics = { documents, references, forEach, dependsOn, importing, takingOver, timeouts }
