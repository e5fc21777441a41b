import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DocumentValidation } from '@deviceportal/contract/documents';
import { useApi } from '../../api/use-api.ts';

const TYPING_MS = 400;

export interface LiveValidation {
  /** The result for the last validated text. Undefined before the first response. */
  readonly result: DocumentValidation | undefined;
  readonly checking: boolean;
  readonly error: unknown;
}

/** Validates a text on the server after each pause in typing. */
export function useDocumentValidation(content: string, phasesText: string): LiveValidation {
  const api = useApi();
  const { mutate, data, isPending, error } = useMutation(api.documents.validate.mutationOptions());
  useEffect(() => {
    const timer = setTimeout(() => mutate({ content, phasesText }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [content, phasesText, mutate]);
  return { result: data, checking: isPending, error };
}
