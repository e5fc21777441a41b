import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { IMAGE_VIEW_LIMIT_BYTES, type FileTransfer } from '@deviceportal/contract/device-files';
import { useApiClient } from '../api/use-api.ts';
import { imageTypeOf, readContent, type FileKind } from './read-content.ts';
import { useTransfer } from './use-transfer.ts';

export type ViewedPart = 'start' | 'end';

export interface FileContent {
  readonly transfer: FileTransfer;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly content: FileKind;
}

interface Asked {
  readonly deviceId: string;
  readonly reason: string;
  readonly path: string;
  readonly part: ViewedPart;
}

/**
 * The first or last part of a file on a device. Of an image that is longer, the whole file follows.
 */
export function useFileContent({ deviceId, reason, path, part }: Asked) {
  const client = useApiClient();
  const start = useMutation({
    mutationFn: (asked: ViewedPart | 'whole') =>
      client.deviceFiles.read.mutate({ deviceId, reason, path, part: asked }),
  });
  const { mutate } = start;
  useEffect(() => mutate(part), [mutate, part]);
  const transfer = useTransfer(start.data?.id);
  const loaded = useLoaded(transfer.data);
  const isCutImage =
    loaded.data !== undefined &&
    loaded.data.transfer.bytes !== loaded.data.transfer.totalBytes &&
    loaded.data.content.kind === 'image' &&
    (loaded.data.transfer.totalBytes ?? 0) <= IMAGE_VIEW_LIMIT_BYTES;
  const isWholeAsked = start.variables === 'whole';
  useEffect(() => {
    if (isCutImage && !isWholeAsked) mutate('whole');
  }, [isCutImage, isWholeAsked, mutate]);
  const isCurrent = loaded.data !== undefined && loaded.data.transfer.id === start.data?.id;
  return {
    content: isCurrent && !isCutImage ? loaded.data : undefined,
    failure: transfer.data?.failure ?? null,
    error: start.error ?? transfer.error ?? loaded.error,
  };
}

/** Loads the content, and checks its digest. */
function useLoaded(transfer: FileTransfer | undefined) {
  const url = transfer?.url ?? null;
  return useQuery({
    queryKey: ['device-file-content', transfer?.id],
    enabled: url !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: 2,
    queryFn: async ({ signal }): Promise<FileContent> => {
      if (transfer === undefined || url === null) throw new Error('no content');
      const response = await fetch(url, { signal, cache: 'no-store' });
      if (!response.ok) throw new Error(`The content was answered with ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      await requireDigest(bytes, transfer.sha256);
      const isCut = transfer.bytes !== transfer.totalBytes;
      const type = transfer.start === 0 ? imageTypeOf(bytes) : null;
      const content =
        type === null ? readContent(bytes, isCut) : ({ kind: 'image', type } as const);
      return { transfer, bytes, content };
    },
  });
}

/** Browsers compute digests only where the address is secure. */
async function requireDigest(
  bytes: Uint8Array<ArrayBuffer>,
  expected: string | null,
): Promise<void> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== expected) throw new Error('The content differs from what the device sent');
}
