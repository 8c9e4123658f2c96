// Takes out of the tests' environment whatever iac itself would read, so that they mean the same on every machine.

const READ_BY_IAC = /^(?:CI|NO_COLOR|FORCE_COLOR|IAC_.*|TF_HTTP_.*|PG[A-Z]+|AWS_.*|GITHUB_ACTIONS|GITLAB_CI)$/

for (const name of Object.keys(process.env)) if (READ_BY_IAC.test(name)) delete process.env[name]
