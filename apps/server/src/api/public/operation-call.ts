import type {
  OperationBody,
  OperationId,
  OperationOutput,
  OperationParams,
  OperationQuery,
} from '@deviceportal/contract/public-api';
import type { AppRouter } from '../app-router.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** The procedures of the portal, called with the viewer of a token: the same checks, the same records. */
export type PortalCaller = ReturnType<AppRouter['createCaller']>;

/** A call of an operation, with input that its schemas have accepted. */
export interface OperationCall<Id extends OperationId> {
  readonly params: OperationParams<Id>;
  readonly query: OperationQuery<Id>;
  readonly body: OperationBody<Id>;
  readonly viewer: Viewer;
  readonly portal: PortalCaller;
  /** The procedures with their actions linked to a case. @throws PortalError 2003 if the viewer works in no such case */
  readonly inCase: (caseId: string) => Promise<PortalCaller>;
  /** A UUID that is the same for the same token, header, and body; undefined without the header. */
  readonly repeatKey: string | undefined;
  /** Whether an earlier request with the same header has succeeded. */
  readonly isRepeated: boolean;
}

export type Handlers<Ids extends OperationId> = {
  readonly [Id in Ids]: (call: OperationCall<Id>) => Promise<OperationOutput<Id>>;
};
