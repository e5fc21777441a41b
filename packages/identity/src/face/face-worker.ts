import { parentPort } from 'node:worker_threads';
import { plugInPackages } from '../plug-ins/plug-ins.ts';
import type { FacePackage } from '../plug-ins/face-package.ts';
import { decodePhoto } from './decode-photo.ts';
import type { FaceAnswer, FaceRequest } from './face-messages.ts';

/** Two are as bad as many. */
const MAX_FACES = 2;

const { loadFaceModel } = (await import(plugInPackages.face)) as FacePackage;
const model = await loadFaceModel();
parentPort?.on('message', (request: FaceRequest) => {
  void describe(request.photo).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage('ready');

async function describe(bytes: Uint8Array): Promise<FaceAnswer> {
  let photo: ReturnType<typeof decodePhoto>;
  try {
    photo = decodePhoto(bytes);
  } catch {
    return { kind: 'refused', why: 'unreadablePhoto' };
  }
  const [face, another] = await model.describeFaces(photo, MAX_FACES);
  if (face === undefined) return { kind: 'refused', why: 'noFace' };
  if (another !== undefined) return { kind: 'refused', why: 'severalFaces' };
  return { kind: 'face', descriptor: face };
}
