import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportEncoding, ImportKind } from '@deviceportal/contract/imports';
import { useApi, useApiClient } from '../api/use-api.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { putFile } from './put-file.ts';

export interface StartedImport {
  readonly kind: ImportKind;
  readonly encoding: ImportEncoding;
  readonly file: File;
}

/** The file was not sent; the import can be started again. */
export class UploadFailed extends Error {}

/** Creates an import, sends its file, and opens its page. Unmounting stops it. */
export function useStartImport() {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);
  const start = useMutation({
    mutationFn: async ({ kind, encoding, file }: StartedImport) => {
      const { id, uploadUrl } = await client.imports.create.mutate({
        ...{ kind, encoding, fileName: file.name },
      });
      setShare(0);
      await putFile(uploadUrl, file, { signal: stop.current.signal, onSent: setShare }).catch(
        async (cause: unknown) => {
          await client.imports.discard.mutate({ id }).catch(() => {});
          throw new UploadFailed('the file was not sent', { cause });
        },
      );
      return id;
    },
    onSuccess: (id) => navigateTo(`/imports/${id}`),
    onSettled: () => {
      setShare(null);
      void queryClient.invalidateQueries(api.imports.list.pathFilter());
    },
  });
  return { start, /** The sent share of the file, 0 … 1; null while none is sent. */ share };
}
