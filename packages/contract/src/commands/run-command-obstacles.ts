/** Why a document cannot run by Run Command of AWS Systems Manager, which has nothing of our agent. */
export const runCommandObstacles = [
  /** A step has an action that our agent implements with the portal. */
  'action',
  /** A script uses what our agent provides: its configuration, reports, or file collection. */
  'agent-environment',
  /** A value would be readable in the history of Run Command. */
  'secret-parameters',
  /** Values of the parameter store are sent to our agent encrypted. */
  'store-values',
  /** Undo uses data that our agent keeps. */
  'undo',
  /** The order of its pre-check or verification steps cannot be expressed. */
  'phases',
  /** Steps are repeated, or have inputs that only our agent knows. */
  'inputs',
  /** A list is passed to a script as an environment variable. */
  'parameter-type',
  /** The document is larger than Systems Manager allows. */
  'size',
] as const;
export type RunCommandObstacle = (typeof runCommandObstacles)[number];
