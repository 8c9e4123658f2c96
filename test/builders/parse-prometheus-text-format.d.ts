// The types of a parser that comes without any: it throws for a line that it cannot read, and answers what a schema checks.
declare module 'parse-prometheus-text-format' {
  const parse: (text: string) => unknown
  export = parse
}
