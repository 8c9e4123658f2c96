// How a plan that was made against the embedded service says so.

/** A reader would take it for the real one otherwise. */
export const sandboxSentence = 'Planned against the embedded service (--sandbox): nothing of what is live is in it.'
