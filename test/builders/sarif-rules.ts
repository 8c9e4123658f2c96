// What SARIF 2.1.0 (OASIS) asks of the members that are written here, and what code scanning asks beyond it, as a JSON Schema: other members are refused.
import type { JsonObject } from '../../src/base/json.ts'

const text = { type: 'string', minLength: 1 }
const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({ type: 'object', additionalProperties: false, properties, required })
const message = closed({ text }, ['text'])
const level = { enum: ['none', 'note', 'warning', 'error'] }
const counting = { type: 'integer', minimum: 1 }

const location = closed(
  {
    physicalLocation: closed(
      {
        // §3.4.4: a relative reference of RFC 3986; code scanning shows nothing of an absolute one.
        artifactLocation: closed({ uri: { type: 'string', pattern: "^(?!/)(?:[\\w.~!$&'()*+,;=@:/-]|%[0-9A-F]{2})+$" }, uriBaseId: text }, ['uri']),
        region: closed({ startLine: counting, startColumn: counting }, ['startLine']),
      },
      ['artifactLocation', 'region'],
    ),
    logicalLocations: { type: 'array', items: closed({ fullyQualifiedName: text, kind: text }, []) },
  },
  ['physicalLocation'],
)

const result = closed(
  {
    ruleId: { type: 'string', pattern: '^[a-z0-9_]+$' },
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: { type: 'array', minItems: 1, items: location },
    partialFingerprints: { type: 'object', required: ['primaryLocationLineHash'], additionalProperties: { type: 'string', pattern: '^[0-9a-f]+:\\d+$' } },
  },
  ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints'],
)

const run = closed(
  {
    tool: closed(
      {
        driver: closed(
          {
            name: text,
            version: text,
            semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
            rules: {
              type: 'array',
              uniqueItems: true,
              items: closed({ id: text, shortDescription: message, fullDescription: message }, ['id', 'shortDescription']),
            },
          },
          ['name', 'rules'],
        ),
      },
      ['driver'],
    ),
    // §3.17.3: a hierarchical string, which code scanning takes as a category where it ends with a slash.
    automationDetails: closed({ id: { type: 'string', pattern: '^iac/(plan|drift|validate)/(.+/)?$' } }, ['id']),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    invocations: {
      type: 'array',
      items: closed(
        { executionSuccessful: { type: 'boolean' }, toolExecutionNotifications: { type: 'array', items: closed({ level, message }, ['message']) } },
        ['executionSuccessful'],
      ),
    },
    results: { type: 'array', maxItems: 5000, items: result },
  },
  ['tool', 'automationDetails', 'results'],
)

/** The schema of a log with one run. */
export const sarifRules: JsonObject = closed(
  {
    $schema: { const: 'https://json.schemastore.org/sarif-2.1.0.json' },
    version: { const: '2.1.0' },
    runs: { type: 'array', minItems: 1, maxItems: 1, items: run },
  },
  ['version', 'runs'],
)
