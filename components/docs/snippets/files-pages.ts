import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** Where the page below asks its own server for an address, and says that the file is there. */
export const ADDRESS_PATH = "/file-address";
export const SENT_PATH = "/file-sent";

/** A page whose user's file goes to the service by itself. */
export const UPLOAD_IN_PAGE: SnippetGroup = {
  label: "uploading in a page",
  snippets: [
    {
      language: "HTML",
      title: "In your page",
      code: `<input id="file" type="file" aria-label="File" />
<script type="module">
  const tell = (path, body) =>
    fetch(path, { method: "POST", body: JSON.stringify(body) });

  document.getElementById("file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    // Your server calls POST /uploads with these two, and hands its answer on.
    const asked = await tell("${ADDRESS_PATH}", { name: file.name, size: file.size });
    const { uploadId, uploadUrl, method, headers } = await asked.json();
    const put = await fetch(uploadUrl, { method, headers, body: file });
    if (!put.ok) throw new Error((await put.json()).error.message);
    // Your server calls POST /process with it.
    await tell("${SENT_PATH}", { uploadId });
  });
</script>`,
    },
  ],
};
