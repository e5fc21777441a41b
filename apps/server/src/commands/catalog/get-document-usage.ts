import type { DocumentUsage } from '@deviceportal/contract/commands';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { typicalDurationMs } from '../data/command-definition-queries.ts';
import { countDocumentUsage, findFailingModels } from '../data/document-usage-queries.ts';

const DAYS = 30;

/** Runs and success rate within the viewer's scope, and the models that failed most in the latest runs. */
export async function getDocumentUsage(
  { database: { orm } }: { readonly database: Database },
  viewer: Viewer,
  documentName: string,
): Promise<DocumentUsage> {
  const recent = { documentName, days: DAYS };
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const both = [scopes, scopesOf(viewer.grants, ['devices:read'])];
  const [counted, medianDurationMs, failingModels] = await Promise.all([
    countDocumentUsage(orm, scopes, recent),
    typicalDurationMs(orm, documentName, scopes),
    findFailingModels(orm, both, recent),
  ]);
  return { days: DAYS, ...counted, medianDurationMs, failingModels };
}
