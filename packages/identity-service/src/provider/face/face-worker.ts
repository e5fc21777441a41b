import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type * as FaceApi from '@vladmandic/face-api';
import { decodePhoto, type DecodedPhoto } from './decode-photo.ts';
import type { FaceAnswer, FaceRequest } from './face-messages.ts';

/**
 * Looks for faces with the models that come with `@vladmandic/face-api` (MIT), on WebAssembly. Its one file with
 * TensorFlow inside is made for browsers: in this thread, and nowhere else, it is told that it runs in a worker of one.
 */
const require = createRequire(import.meta.url);
Object.assign(globalThis, { WorkerGlobalScope: Object, __dirname: import.meta.dirname, require });

const MODULE = '@vladmandic/face-api/dist/face-api.esm.js';
const MIN_CONFIDENCE = 0.6;
/** Two are as bad as many. */
const MAX_FACES = 2;
/** Larger photos are made smaller first: faces are still several times as wide as the models look at. */
const MAX_SIDE = 1_280;

const faceApi = (await import(MODULE)) as typeof FaceApi;
const tf = faceApi.tf as unknown as Tensors;
await startWebAssembly();
await loadModels();
parentPort?.on('message', (request: FaceRequest) => {
  void describe(request.photo).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage('ready');

async function describe(bytes: Uint8Array): Promise<FaceAnswer> {
  let photo: DecodedPhoto;
  try {
    photo = decodePhoto(bytes);
  } catch {
    return { kind: 'refused', why: 'unreadablePhoto' };
  }
  const image = tf.tidy(() => toTensor(photo));
  try {
    const options = new faceApi.SsdMobilenetv1Options({
      minConfidence: MIN_CONFIDENCE,
      maxResults: MAX_FACES,
    });
    const faces = await faceApi
      .detectAllFaces(image as never, options)
      .withFaceLandmarks()
      .withFaceDescriptors();
    const [face, another] = faces;
    if (face === undefined) return { kind: 'refused', why: 'noFace' };
    if (another !== undefined) return { kind: 'refused', why: 'severalFaces' };
    return { kind: 'face', descriptor: face.descriptor };
  } finally {
    image.dispose();
  }
}

function toTensor({ width, height, rgba }: DecodedPhoto): Tensor {
  const rgb = new Int32Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      rgb[pixel * 3 + channel] = rgba[pixel * 4 + channel] ?? 0;
    }
  }
  const image = tf.tensor3d(rgb, [height, width, 3], 'int32');
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  if (scale === 1) return image;
  return tf.image.resizeBilinear(image, [Math.round(height * scale), Math.round(width * scale)]);
}

/** The WebAssembly files of the same TensorFlow, given as addresses that hold them. */
async function startWebAssembly(): Promise<void> {
  const names = ['', '-simd', '-threaded-simd'].map((kind) => `tfjs-backend-wasm${kind}.wasm`);
  const folder = '@tensorflow/tfjs-backend-wasm/wasm-out/';
  const paths = names.map(async (name) => {
    const file = await readFile(require.resolve(folder + name));
    return [name, `data:application/wasm;base64,${file.toString('base64')}`] as const;
  });
  tf.setWasmPaths(Object.fromEntries(await Promise.all(paths)), true);
  await tf.setBackend('wasm');
  await tf.ready();
}

async function loadModels(): Promise<void> {
  const { ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet } = faceApi.nets;
  const nets = [
    [ssdMobilenetv1, 'ssd_mobilenetv1_model'],
    [faceLandmark68Net, 'face_landmark_68_model'],
    [faceRecognitionNet, 'face_recognition_model'],
  ] as const;
  const folder = '@vladmandic/face-api/model/';
  for (const [net, name] of nets) {
    const manifest = await readFile(
      require.resolve(`${folder}${name}-weights_manifest.json`),
      'utf8',
    );
    const groups = JSON.parse(manifest) as readonly { readonly weights: readonly unknown[] }[];
    const file = await readFile(require.resolve(`${folder}${name}.bin`));
    const bytes = Uint8Array.from(file).buffer;
    const weights = tf.io.decodeWeights(
      bytes,
      groups.flatMap((group) => group.weights),
    );
    net.loadFromWeightMap(weights as never);
  }
}

interface Tensor {
  dispose(): void;
}

/** What is used of TensorFlow: its types come with none of the packages here. */
interface Tensors {
  readonly io: { decodeWeights(bytes: ArrayBuffer, weights: readonly unknown[]): unknown };
  readonly image: {
    resizeBilinear(image: Tensor, size: readonly [number, number]): Tensor;
  };
  tensor3d(values: Int32Array, shape: readonly [number, number, number], type: 'int32'): Tensor;
  tidy<T>(work: () => T): T;
  setWasmPaths(paths: Readonly<Record<string, string>>, usePlatformFetch: boolean): void;
  setBackend(name: 'wasm'): Promise<boolean>;
  ready(): Promise<void>;
}
