/** A decoded photo. */
export interface FacePhoto {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of every pixel, from the top left. */
  readonly rgba: Uint8Array;
}

/** Finds the faces in a photo. */
export interface FaceModel {
  /** @returns 128 numbers for each face, at most `most`; see `faceDistance` */
  describeFaces(photo: FacePhoto, most: number): Promise<readonly Float32Array[]>;
}

/** What `@deviceportal/identity-face` exports. Loaded in a thread of its own: the model takes a hundred megabytes. */
export interface FacePackage {
  loadFaceModel(): Promise<FaceModel>;
}
