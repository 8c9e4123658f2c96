// The numbers that GitLab shows at a merge request: artifacts:reports:terraform.
import { stringifyJson } from '../../../base/json.ts'
import { countsOf } from '../plan/plan-counts.ts'
import type { Renderer } from './report.ts'

/** GitLab's parser refuses a number with more than six digits. */
const MOST = 999_999

/** `{"create":1,"update":0,"delete":0}`: a replacement counts in create and in delete. */
export const gitlab: Renderer = ({ plan }) => {
  const { add = 0, change = 0, destroy = 0 } = plan ? countsOf(plan.summary) : {}
  return `${stringifyJson({ create: Math.min(add, MOST), update: Math.min(change, MOST), delete: Math.min(destroy, MOST) })}\n`
}
