import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApiClient } from '../api/use-api.ts';
import { sendFile } from '../versions/send-file.ts';
import { follow } from './files-store.ts';
import { nameOf } from './shown-name.ts';

interface DeviceUpload {
  readonly file: File;
  readonly path: string;
  readonly reason: string;
  readonly overwrites: boolean;
}

/** Uploads a file to the portal, which then asks the device to write it. Unmounting stops the upload. */
export function useDeviceUpload(deviceId: string, onUploaded: () => void) {
  const client = useApiClient();
  const [share, setShare] = useState<number | null>(null);
  const [isBroken, setBroken] = useState(false);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);
  const upload = useMutation({
    mutationFn: async ({ file, ...asked }: DeviceUpload) => {
      const { id, url } = await client.deviceFiles.write.mutate({
        ...asked,
        ...{ deviceId, bytes: file.size },
      });
      setShare(0);
      try {
        await sendFile(url, file, {
          signal: stop.current?.signal ?? new AbortController().signal,
          onProgress: (sent) => {
            setShare(sent);
            setBroken(false);
          },
          onBreak: () => setBroken(true),
        });
      } catch (error) {
        await client.deviceFiles.cancel.mutate({ id }).catch(() => undefined);
        throw error;
      }
      return id;
    },
    onSuccess: (id, { path }) => {
      follow(deviceId, { id, name: nameOf(path), action: 'write' });
      onUploaded();
    },
  });
  return { upload, share: upload.isPending ? share : null, isBroken };
}
