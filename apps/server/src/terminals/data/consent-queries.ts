import { asc, eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { TerminalConsentRule } from '@deviceportal/contract/terminals';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { terminalModelConsent } from './terminal-tables.ts';

type ConsentRow = typeof terminalModelConsent.$inferSelect;

const { model, consent } = terminalModelConsent;

/** The rules of models, for joins by `model`. Models without one need no consent. */
export const consentRules = new QueryBuilder()
  .select({ model, consent })
  .from(terminalModelConsent)
  .as('consent_rule');

/** The rule of a model; devices without a model need no consent. */
export async function findConsentRule(
  on: Executor,
  wanted: string | null,
): Promise<TerminalConsentRule> {
  if (wanted === null) return 'not-needed';
  const [found] = await on.select({ consent }).from(terminalModelConsent).where(eq(model, wanted));
  return found?.consent ?? 'not-needed';
}

export async function listConsentRules(on: Executor): Promise<ConsentRow[]> {
  return on.select().from(terminalModelConsent).orderBy(asc(model));
}

/** @returns the rule before */
export async function writeConsentRule(
  tx: Transaction,
  row: Omit<ConsentRow, 'changedAt'>,
): Promise<TerminalConsentRule> {
  const [before] = await tx
    .select({ consent })
    .from(terminalModelConsent)
    .where(eq(model, row.model))
    .for('update');
  await tx
    .insert(terminalModelConsent)
    .values(row)
    .onConflictDoUpdate({ target: model, set: { ...row, changedAt: portalNow } });
  return before?.consent ?? 'not-needed';
}
