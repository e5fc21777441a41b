import { answerOf } from '../platform/aws/answer-of.ts';
import { DocumentDiffers } from './document-publisher.ts';

interface ServiceError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Errors that are the same after every repetition. */
const permanent: readonly string[] = [
  'DuplicateDocumentContent',
  'DocumentVersionLimitExceeded',
  'InvalidDocumentContent',
  'InvalidDocumentSchemaVersion',
  'InvalidParameters',
  'MaxDocumentSizeExceeded',
  'UnsupportedPlatformType',
  'ValidationException',
];

/** What an error of a call means. */
export interface ServiceFault {
  /** Whether the service has certainly not done what was asked. */
  readonly isRefused: boolean;
  /** Whether asking again is of no use. */
  readonly isPermanent: boolean;
  readonly isInvalidInstance: boolean;
  readonly isUnknownDocument: boolean;
  /** One line. */
  readonly text: string;
}

export function faultOf(error: unknown): ServiceFault {
  const { name = '', $metadata } = error as ServiceError;
  const status = $metadata?.httpStatusCode ?? 0;
  return {
    isRefused: status >= 400 && status < 500,
    isPermanent: permanent.includes(name) || error instanceof DocumentDiffers,
    isInvalidInstance: name === 'InvalidInstanceId',
    isUnknownDocument: name === 'InvalidDocument' || name === 'InvalidDocumentVersion',
    text: answerOf(error),
  };
}
