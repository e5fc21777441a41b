import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Versions concern the whole fleet. @throws PortalError 1000 for a user who manages only a part of it */
export function requireWholeFleet(viewer: Viewer): void {
  if (scopesOf(viewer.grants, ['versions:manage']).some(isEverywhere)) return;
  throw refuse('versions-need-whole-fleet', { facts: { permission: 'versions:manage' } });
}

/**
 * An approval applies to all devices of its model and country, regardless of labels.
 * @throws PortalError 1000 unless one scope covers them all
 */
export function requireTargetInScope(
  viewer: Viewer,
  target: { readonly model: string; readonly country: string },
): void {
  const covered = scopesOf(viewer.grants, ['versions:manage']).some(
    ({ models, countries, labels }) =>
      (models.length === 0 || models.includes(target.model)) &&
      (countries.length === 0 || countries.includes(target.country)) &&
      Object.keys(labels).length === 0,
  );
  if (covered) return;
  throw refuse('approval-out-of-reach', {
    facts: { permission: 'versions:manage', model: target.model, country: target.country },
  });
}
