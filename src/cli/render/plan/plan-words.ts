// The sentences of a plan's text: iac's own, and those that readers of Terraform's text look for.
import { few } from '../../../base/words/few.ts'

/** Who says it. */
export interface PlanWords {
  /** A line of its own, before what others changed. */
  readonly drifted: string
  readonly driftedIntro: string
  /** Where that ends; '' for nowhere. */
  readonly driftedEnd: string
  readonly perform: string
  /** Last words where there is nothing to do. */
  readonly noChanges: string
  /** The same where so many resources differ that are left out. */
  readonly noneSelected: (count: number) => string
  /** Last words of a destroy with nothing to do: where something is left as it is, and where there is nothing. */
  readonly nothingDestroyed: (kept: readonly string[]) => string
  /** Last words where outputs alone change. */
  readonly outputsAlone: string
  /** Last words where nothing but protection is lifted. */
  readonly liftsAlone: string
  /** Last words of a refresh-only plan: with something to record, and with nothing. */
  readonly refreshAlone: string
  readonly nothingToRecord: string
  /** The same where nothing was ever recorded. */
  readonly nothingToRefresh: string
  /** The same where so many resources have drifted that are left out. */
  readonly noneRecorded: (count: number) => string
  /** Last words where an error left nothing to do. */
  readonly failed: string
  readonly noDrift: string
  /** Whether the readers know no others: a verdict ends its line, and what changes in the outputs stands behind the sentence. */
  readonly isStrict: boolean
}

const outputsAlone = (state: string): string =>
  `You can apply this plan to save these new output values to the ${state}, without changing any real infrastructure.`
const refreshAlone = 'This is a refresh-only plan: you can apply it to record what is live in the state, without changing any real infrastructure.'
const differing = (count: number, one: string, several: string): string =>
  count === 1 ? `1 resource that ${one} is` : `${count} resources that ${several} are`

export const ownWords: PlanWords = {
  drifted: 'Note: Objects have changed outside of iac',
  driftedIntro: 'What the state remembers, and what is live now:',
  driftedEnd: '',
  perform: 'iac will perform the following actions:',
  noChanges: 'No changes. Your infrastructure matches the manifests.',
  noneSelected: (count) => `No changes. Nothing is changed by this plan: ${differing(count, 'differs', 'differ')} left out of it.`,
  nothingDestroyed: (kept) => `No changes. ${kept.length === 0 ? 'There is nothing to destroy.' : `Nothing is destroyed. Left as it is: ${few(kept)}.`}`,
  outputsAlone: outputsAlone('state'),
  liftsAlone: 'You can apply this plan to lift protection that the state remembers, without changing any real infrastructure.',
  refreshAlone,
  nothingToRecord: 'No changes. What is live matches what was last applied.',
  nothingToRefresh: 'No changes. There is nothing to refresh.',
  noneRecorded: (count) => `No changes. Nothing is recorded by this plan: ${differing(count, 'has drifted', 'have drifted')} left out of it.`,
  failed: 'Planning failed: see the errors.',
  noDrift: 'No drift. What is live matches what was last applied.',
  isStrict: false,
}

/** What tfcmt and Atlantis compare with, letter by letter. */
export const terraformWords: PlanWords = {
  drifted: 'Note: Objects have changed outside of Terraform',
  driftedIntro: 'Terraform detected the following changes made outside of Terraform since the last "terraform apply" which may have affected this plan:',
  driftedEnd:
    'Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the following plan may include actions to undo or respond to these changes.',
  perform: 'Terraform will perform the following actions:',
  noChanges: 'No changes. Your infrastructure matches the configuration.',
  noneSelected: () => 'No changes. Your infrastructure matches the configuration.',
  nothingDestroyed: () => 'No changes. No objects need to be destroyed.',
  outputsAlone: outputsAlone('Terraform state'),
  liftsAlone: 'No changes. Your infrastructure matches the configuration. Protection that the state remembers is lifted.',
  refreshAlone,
  nothingToRecord: 'No changes. Your infrastructure still matches the configuration.',
  nothingToRefresh: 'No changes. Your infrastructure still matches the configuration.',
  noneRecorded: () => 'No changes. Your infrastructure still matches the configuration.',
  failed: 'Planning failed. Terraform encountered an error while generating this plan.',
  noDrift: 'No changes. Your infrastructure matches the configuration.',
  isStrict: true,
}
