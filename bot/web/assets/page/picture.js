// A picture as small as models look at it, and as a form may be; drawn anew, so that what a camera
// wrote into the file about the place stays here.
const LONGEST_SIDE = 1568; // pixels: models shrink what is larger

export async function shrunk(file, mostBytes) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.85, 0.7, 0.5, 0.3]) {
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (blob && blob.size <= mostBytes) return blob;
  }
  throw new Error("too large");
}
