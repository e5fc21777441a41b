import type { SoftwareVersionState } from '@deviceportal/contract/states';

/**
 * Draft, approved, then deprecated or blocked (docs/design/decisions.md, section 4). A harmful version can be blocked
 * from every state, permanently.
 */
const next: Readonly<Record<SoftwareVersionState, readonly SoftwareVersionState[]>> = {
  draft: ['approved', 'blocked'],
  approved: ['deprecated', 'blocked'],
  deprecated: ['blocked'],
  blocked: [],
};

export function mayBecome(from: SoftwareVersionState, to: SoftwareVersionState): boolean {
  return next[from].includes(to);
}
