import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type {
  ModelTerminalConsent,
  setTerminalConsentInput,
} from '@deviceportal/contract/terminals';
import type { z } from 'zod';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { selectFacetValues } from '../devices/data/list/suggestion-queries.ts';
import { maskUser } from '../people/mask-person.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { listConsentRules, writeConsentRule } from './data/consent-queries.ts';
import type { TerminalDeps } from './terminal-deps.ts';

/** The models whose devices are all in the scope of the permission, with their rules. */
export async function listModelConsents(
  { database }: Pick<TerminalDeps, 'database'>,
  viewer: Viewer,
): Promise<readonly ModelTerminalConsent[]> {
  const [models, rules] = await Promise.all([
    listModels(database, viewer),
    listConsentRules(database.orm),
  ]);
  const byModel = new Map(rules.map((rule) => [rule.model, rule]));
  return models.map((model) => {
    const rule = byModel.get(model);
    return {
      model,
      consent: rule?.consent ?? 'not-needed',
      changedBy: rule === undefined ? null : maskUser(rule.changedBy, viewer),
      changedAt: rule?.changedAt.toISOString() ?? null,
    };
  });
}

/**
 * Sets whether terminals of a model need consent. Applies to open terminals, too, if they are no longer
 * allowed.
 * @throws PortalError 1000 for a model with devices outside the scope, and for one without devices
 */
export async function setModelConsent(
  { database }: Pick<TerminalDeps, 'database'>,
  caller: Caller,
  { model, consent }: z.infer<typeof setTerminalConsentInput>,
): Promise<void> {
  const { viewer } = caller;
  const models = await listModels(database, viewer);
  if (!models.includes(model))
    throw refuse('terminal-consent-out-of-reach', {
      facts: { model, permission: 'terminal:consent' },
    });
  await inTransaction(database, async (tx) => {
    const { userId: changedById, username: changedBy } = viewer;
    const before = await writeConsentRule(tx, { model, consent, changedById, changedBy });
    if (before === consent) return;
    await recordAudit(tx, [
      {
        type: 'terminal.consent-rule-changed',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        data: { model, from: before, to: consent },
      },
    ]);
  });
}

async function listModels(
  { orm }: TerminalDeps['database'],
  viewer: Viewer,
): Promise<readonly string[]> {
  const scopes = scopesOf(viewer.grants, ['terminal:consent']).filter(
    ({ countries, labels }) => countries.length === 0 && Object.keys(labels).length === 0,
  );
  if (scopes.length === 0) return [];
  const models = await selectFacetValues(orm, viewer, 'model');
  return models.filter((model) =>
    scopes.some((scope) => scope.models.length === 0 || scope.models.includes(model)),
  );
}
