import type { z } from 'zod';
import { alertOperations } from './alert-operations.ts';
import { auditOperations } from './audit-operations.ts';
import { caseOperations } from './case-operations.ts';
import { commandOperations } from './command-operations.ts';
import { deviceOperations } from './device-operations.ts';
import { documentOperations } from './document-operations.ts';
import { fileOperations } from './file-operations.ts';
import { generalOperations } from './general-operations.ts';
import { metricOperations } from './metric-operations.ts';
import { importOperations } from './import-operations.ts';
import type { PublicOperation } from './public-operation.ts';
import { webhookOperations } from './webhook-operations.ts';

/** All operations of `/api/v1` by their ID. Server, reference, and clients use this list. */
export const publicOperations = {
  ...generalOperations,
  ...deviceOperations,
  ...fileOperations,
  ...metricOperations,
  ...commandOperations,
  ...documentOperations,
  ...caseOperations,
  ...alertOperations,
  ...auditOperations,
  ...importOperations,
  ...webhookOperations,
} as const satisfies Record<string, PublicOperation>;

export type OperationId = keyof typeof publicOperations;

type Of<Id extends OperationId> = (typeof publicOperations)[Id];

type Parsed<Operation, Part extends string> = Operation extends {
  readonly [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Record<never, never>;

export type OperationParams<Id extends OperationId> = Parsed<Of<Id>, 'params'>;
export type OperationQuery<Id extends OperationId> = Parsed<Of<Id>, 'query'>;
export type OperationBody<Id extends OperationId> = Parsed<Of<Id>, 'body'>;
/** What a handler returns; the schema leaves out what it does not declare. */
export type OperationOutput<Id extends OperationId> = z.input<Of<Id>['output']>;
