import type { OperationId } from '@deviceportal/contract/public-api';
import type { Handlers } from '../operation-call.ts';
import { alertHandlers } from './alert-handlers.ts';
import { auditHandlers } from './audit-handlers.ts';
import { caseHandlers } from './case-handlers.ts';
import { commandHandlers } from './command-handlers.ts';
import { deviceHandlers } from './device-handlers.ts';
import { documentHandlers } from './document-handlers.ts';
import { fileHandlers } from './file-handlers.ts';
import { generalHandlers } from './general-handlers.ts';
import { metricHandlers } from './metric-handlers.ts';
import { importHandlers } from './import-handlers.ts';
import { webhookHandlers } from './webhook-handlers.ts';

export const handlers: Handlers<OperationId> = {
  ...generalHandlers,
  ...deviceHandlers,
  ...fileHandlers,
  ...metricHandlers,
  ...commandHandlers,
  ...documentHandlers,
  ...caseHandlers,
  ...alertHandlers,
  ...auditHandlers,
  ...importHandlers,
  ...webhookHandlers,
};
