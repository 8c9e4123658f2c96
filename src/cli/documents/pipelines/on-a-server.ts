// What runs on a machine of one's own: Atlantis, and the look for drift that cron starts.

/** `atlantis.yaml`: of the branch of a pull request, whose author may change it, and so without anything that decides on what runs. */
export const atlantis = `# Which project Atlantis plans. How it plans and applies says the server: see atlantis-repos.yaml.
version: 3
projects:
  - name: iac
    dir: .
    autoplan: { when_modified: ['**/*'] }
`

/** `atlantis-repos.yaml`: what the server is given. */
export const atlantisServer = `# For the server: atlantis server --repo-config FILE --checkout-strategy merge, with a copy of this that stands on the server alone.
# Read from the repository, as atlantis.yaml is, it would be that of the pull request: whoever opens one could run and apply what they like.
repos:
  - id: github.com/OWNER/REPOSITORY
    workflow: iac
    plan_requirements: [undiverged]
    apply_requirements: [approved, mergeable, undiverged]
    allowed_overrides: []
    allow_custom_workflows: false
workflows:
  iac:
    plan:
      steps:
        - run: iac validate
        - run: iac plan --compat terraform --out "$PLANFILE"
    apply:
      steps:
        - run: iac apply --compat terraform --lock-timeout 10m "$PLANFILE"
`

/** `iac-drift.sh`. */
export const driftScript = `#!/bin/sh
# Looks for drift, for cron: 17 3 * * *  sh /path/to/project/iac-drift.sh
# DRIFT_METRICS names a file in the folder of Prometheus' node exporter, which then has the gauges; DRIFT_ISSUE is github, gitlab or gitea,
# which then has one issue as long as something drifted: with a token and the place in the environment, as in the jobs of that forge.
# It says something, which cron mails, only where something drifted.
set -u
cd "$(dirname "$0")" || exit 1
set --
if [ -n "\${DRIFT_METRICS:-}" ]; then set -- "$@" --format "openmetrics=\${DRIFT_METRICS}.new"; fi
if [ -n "\${DRIFT_ISSUE:-}" ]; then set -- "$@" --issue "\${DRIFT_ISSUE}"; fi
report="$(iac drift --no-input "$@" 2>&1)"
status=$?
if [ -n "\${DRIFT_METRICS:-}" ] && [ -f "\${DRIFT_METRICS}.new" ]; then
  # The exporter is another user, and reads what ends in .prom alone.
  chmod 0644 "\${DRIFT_METRICS}.new" && mv -f "\${DRIFT_METRICS}.new" "\${DRIFT_METRICS}"
fi
if [ "$status" -ne 0 ]; then printf '%s\\n' "$report"; fi
exit "$status"
`
