// What a plan comes to, as Atlantis looks for it: at any place of a line, so that a field or a message could say it, too.

/** A text in which nothing is such a verdict: with a second space in each, which Atlantis does not know. */
export function withoutVerdicts(text: string): string {
  return text.replace(/(?<=No changes.) (?=Infrastructure|Your infrastructure)|(?<=Plan:) (?=\d)/g, '  ')
}
