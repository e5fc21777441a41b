import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { useApiClient } from '../api/use-api.ts';
import { sendFile, UploadRefused } from './send-file.ts';

/** Uploads the file of a version. The same file resumes; unmounting stops the upload. */
export function useUpload(
  { component, version }: Pick<SoftwareVersionRow, 'component' | 'version'>,
  onUploaded: () => Promise<void>,
) {
  const client = useApiClient();
  const [share, setShare] = useState<number | null>(null);
  const [isBroken, setBroken] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const begun = useRef<{ readonly file: File; readonly url: string } | null>(null);
  const onProgress = (sent: number): void => {
    setShare(sent);
    setBroken(false);
  };
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      if (begun.current?.file !== chosen) {
        const asked = { component, version, name: chosen.name, bytes: chosen.size };
        const { url } = await client.versions.createUpload.mutate(asked);
        begun.current = { file: chosen, url };
      }
      setShare((sent) => sent ?? 0);
      await sendFile(begun.current.url, chosen, {
        signal: stop.current.signal,
        onProgress,
        onBreak: () => setBroken(true),
      });
    },
    onError: (error) => {
      // The next attempt gets a new link.
      if (error instanceof UploadRefused) begun.current = null;
    },
    onSuccess: onUploaded,
  });
  return {
    upload,
    /** The sent share of the file, 0 … 1. Null before the start. */
    share,
    /** The last chunk failed and is sent again. */
    isBroken,
    /** Resets the state for another file. */
    restart: () => {
      setShare(null);
      upload.reset();
    },
  };
}
