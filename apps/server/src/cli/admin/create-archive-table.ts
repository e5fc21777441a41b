import { answerOf } from '../../platform/aws/answer-of.ts';
import {
  archiveTableStatements,
  nameOfTable,
} from '../../audit-trail/archive/history/archive-table.ts';
import { archiveTableOf, openAthena } from '../../audit-trail/archive/history/open-history.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

const LIMIT_MS = 120_000;

/** Creates the table of archived months in the Glue Data Catalog, with the credentials of the operator. */
export const createArchiveTable: AdminWork = {
  usage: '',
  words: [0],
  async run({ config }) {
    if (config.analytics === undefined)
      throw new StartError('Set DEVICEPORTAL_ANALYTICS_WORKGROUP to the name of the workgroup.');
    const table = archiveTableOf(config.analytics, config);
    const runQuery = await openAthena(config.analytics);
    for (const sql of archiveTableStatements(table)) {
      const outcome = await runQuery({ sql, values: [], limitMs: LIMIT_MS }).catch(
        (error: unknown) => ({ ended: 'failed', reason: answerOf(error) }) as const,
      );
      if (outcome.ended !== 'succeeded')
        throw new StartError(`The table was not created. Athena answered: ${outcome.reason}`);
    }
    return `The table ${nameOfTable(table)} describes the archived months in ${table.location}.`;
  },
};
