/** Why a run is refused with 2004 although its rights and parameters are right: `facts.reason`. */
export const runRefusals = [
  /** It would reach a filter or several devices, and names no set that was shown. */
  'target-not-shown',
  /** It would reach other devices than those that were shown. */
  'target-changed',
  /** A schedule would reach more devices than were agreed. */
  'target-grew',
  /** The policy asks for an AirBlast rollout for so many devices. */
  'air-blast-needed',
  /** What would happen is not what was requested and shown. */
  'approval-changed',
  /** It was changed in the database after a person authorized it. */
  'authorization-mismatch',
  /** It would be signed without its signer having been shown what it runs. */
  'schedule-not-shown',
  /** It is not what its signer was shown. */
  'schedule-changed',
  /** No person of now has signed it: it is older than signatures, or its signature was removed. */
  'authorization-missing',
] as const;
export type RunRefusal = (typeof runRefusals)[number];
