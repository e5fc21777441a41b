import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FaceModel, FacePhoto } from '@deviceportal/identity/face-package';

/**
 * The models of `@vladmandic/face-api` (MIT), on WebAssembly. Its bundle with TensorFlow is built
 * for browsers and needs a simulated worker environment, so load it only in a worker thread.
 */
const require = createRequire(import.meta.url);

const MODULE = '@vladmandic/face-api/dist/face-api.esm.js';
const MIN_CONFIDENCE = 0.6;
/**
 * Larger photos are scaled down first. Faces are still several times larger than the models' input.
 */
const MAX_SIDE = 1_280;

export async function loadFaceModel(): Promise<FaceModel> {
  Object.assign(globalThis, { WorkerGlobalScope: Object, __dirname: import.meta.dirname, require });
  const faceApi = (await import(MODULE)) as FaceApi;
  await startWebAssembly(faceApi.tf);
  await loadNets(faceApi);
  return {
    async describeFaces(photo, most) {
      const { tf } = faceApi;
      const image = tf.tidy(() => toTensor(tf, photo));
      try {
        const options = new faceApi.SsdMobilenetv1Options({
          minConfidence: MIN_CONFIDENCE,
          maxResults: most,
        });
        const faces = await faceApi
          .detectAllFaces(image, options)
          .withFaceLandmarks()
          .withFaceDescriptors();
        return faces.map(({ descriptor }) => descriptor);
      } finally {
        image.dispose();
      }
    },
  };
}

function toTensor(tf: Tensors, { width, height, rgba }: FacePhoto): Tensor {
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

/** Loads the WebAssembly files of the same TensorFlow version from data URLs. */
async function startWebAssembly(tf: Tensors): Promise<void> {
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

async function loadNets({ nets, tf }: FaceApi): Promise<void> {
  const { ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet } = nets;
  const files = [
    [ssdMobilenetv1, 'ssd_mobilenetv1_model'],
    [faceLandmark68Net, 'face_landmark_68_model'],
    [faceRecognitionNet, 'face_recognition_model'],
  ] as const;
  const folder = '@vladmandic/face-api/model/';
  for (const [net, name] of files) {
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
    net.loadFromWeightMap(weights);
  }
}

interface Tensor {
  dispose(): void;
}

interface Net {
  loadFromWeightMap(weights: unknown): void;
}

/**
 * The used part of `@vladmandic/face-api`, so that types can be checked where it is not installed.
 */
interface FaceApi {
  readonly tf: Tensors;
  readonly nets: Readonly<
    Record<'ssdMobilenetv1' | 'faceLandmark68Net' | 'faceRecognitionNet', Net>
  >;
  readonly SsdMobilenetv1Options: new (options: {
    readonly minConfidence: number;
    readonly maxResults: number;
  }) => object;
  detectAllFaces(
    image: Tensor,
    options: object,
  ): {
    withFaceLandmarks(): {
      withFaceDescriptors(): PromiseLike<readonly { readonly descriptor: Float32Array }[]>;
    };
  };
}

/** The used part of TensorFlow, whose types none of the packages here include. */
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
