// What pipelines do with iac: the forms that reports are shown in, and the words that other tools look for.
import { formats } from '../../apply/formats.ts'
import type { Topic } from './topic.ts'

const formatsTopic: Topic = {
  names: ['formats', 'format'],
  title: 'Formats',
  about: [
    '`plan`, `show PLANFILE`, `drift` and `validate` take `--format NAME[=FILE]`, as often as you like; without a file the format takes the place of standard output. `--json-into FILE` writes the machine format beside what is shown.',
    'All are made from what the command found, and from nothing else. No sensitive value is in any, and no text of the service or of a manifest can be a command, a tag or a fence in one. A file is readable for its owner alone, and replaced as a whole. Paths in a report are relative to the root of the repository, or else to the working directory.',
  ],
  fields: [...formats].map(([name, { of, about }]) => ({ path: name, type: of.join(', '), about, notes: [] })),
}

const look: Topic = {
  names: ['pictures'],
  title: 'To look at',
  about: [
    '`iac plan --format html=plan.html --format svg=plan.svg` writes a page and a picture. The page is one file: its policy forbids every request, so it can be kept as an artifact and opened anywhere. It tells what changes by what is lost (data, an address, an interruption, a restart), every field before and after, what waits for what, costs, limits, outputs, drift and findings; `/` searches in all of it. Without script everything is there to read.',
    '`svg` is the graph alone: an arrow leads to what a change waits for, what hangs on an instance stands in its frame, instances of one `for_each` to which the same happens are one box, and of a very large plan whole kinds are. `mermaid` is the same graph for a fence in a comment, `dot` for Graphviz. What is not drawn is counted in each of them.',
  ],
}

const reviewed: Topic = {
  names: ['review'],
  title: 'What was reviewed is what runs',
  about: [
    'A plan holds `review`: a hash over what it would do, without times and ids. `iac apply --expect-review HASH` plans again and goes on, without asking, only if the plan has that review; else it ends with 6 and changes nothing. A saved plan (`--out`, then `iac apply PLANFILE`) is the other way to the same.',
    'With `GITHUB_ACTIONS=true`, `plan`, `apply` and `drift` write the outputs of the step (changes, to_add, to_change, to_destroy, to_replace, to_import, drift, monthly_delta, review, exitcode), its summary, annotations, and masks of every secret. `--no-ci` switches that off. `iac comment github --plan FILE` keeps one comment with the plan on a pull request.',
    '`iac init --ci github|gitlab|gitea|atlantis|cron` writes a pipeline: validate and plan, apply what was reviewed after a merge, look for drift every night. `iac plan --needs` prints the smallest token that carries the plan out.',
  ],
}

const compat: Topic = {
  names: ['compat-terraform'],
  title: 'Words of other tools',
  about: [
    "With `--compat terraform` the texts of `plan`, `apply`, `destroy`, `drift` and `show` are in the words that tools such as tfcmt and Atlantis look for: the outputs stand behind the plan's sentence, what others changed ends with its own line, an error begins with `Error: `.",
    "`iac show -json PLANFILE` and `iac show -no-color PLANFILE`, with one dash, are for tools that call Terraform: they print the plan as Terraform's plan JSON, and in its words. With two dashes they are iac's own.",
  ],
}

/** Topics by the names that the pages call them by. */
export const pipelineTopics = { formats: formatsTopic, look, reviewed, compat }
