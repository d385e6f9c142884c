/** Sends a call with a long body and reports how many bytes have been sent, which `fetch` cannot do. */

export function fetchWithProgress(address: URL, init: RequestInit, sent: (bytes: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", address);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => sent(loaded);
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError("no answer"));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort());
    request.send((init.body ?? null) as XMLHttpRequestBodyInit | null);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  const type = request.getResponseHeader("content-type");
  if (type) headers.set("content-type", type);
  // A `Response` with one of these statuses must not have a body, not even an empty one.
  const body = [204, 205, 304].includes(request.status) ? null : request.responseText;
  return new Response(body, { status: request.status, headers });
}
