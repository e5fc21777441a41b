/** Sends a file. Uses XMLHttpRequest, because `fetch` does not report progress. @throws Error without success */
export const putFile = (
  url: string,
  file: Blob,
  options: { readonly signal: AbortSignal; readonly onSent: (share: number) => void },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { signal, onSent } = options;
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded / file.size));
    request.addEventListener('load', () =>
      request.status === 204 ? resolve() : reject(new Error(`status ${request.status}`)),
    );
    request.addEventListener('error', () => reject(new Error('connection lost')));
    request.addEventListener('abort', () => reject(new Error('upload aborted')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
