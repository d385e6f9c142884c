/** A call whose body may be long: it tells how many bytes have been sent. `fetch` does not tell that. */

export function watched(address: URL, init: RequestInit, sent: (bytes: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", address);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => sent(loaded);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new TypeError("no answer"));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort());
    request.send((init.body ?? null) as XMLHttpRequestBodyInit | null);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  const type = request.getResponseHeader("content-type");
  if (type) headers.set("content-type", type);
  // An answer without content must not have a body, be it empty.
  const body = [204, 205, 304].includes(request.status) ? null : request.responseText;
  return new Response(body, { status: request.status, headers });
}
