/** Compression of text for links. */

async function pipeThrough(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  const piped = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Return a text as deflated base64url. */
export async function compressText(text: string): Promise<string> {
  const bytes = await pipeThrough(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Return the original text. Throw an error if the input is not a packed text. */
export async function decompressText(packed: string): Promise<string> {
  const raw = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await pipeThrough(bytes, new DecompressionStream("deflate-raw")));
}
