// Comfort only: every page works without this file.
"use strict";

const form = document.querySelector("[data-calculator]");
if (form) {
  const field = (name) => form.elements.namedItem(name);
  const suggest = () => {
    const slots = Number(field("k").value) * Number(field("queries").value);
    field("retrieved").placeholder = Number.isInteger(slots) && slots > 0 ? String(slots) : "";
  };
  form.addEventListener("input", suggest);
  suggest();
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) {
      if (!String(value).trim()) event.formData.delete(name); // a short address to send on
    }
  });
  const wrong = form.querySelector("[aria-invalid]");
  if (wrong) wrong.focus();
}

for (const button of document.querySelectorAll("[data-copy-address]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href.split("#")[0]);
    button.textContent = "Link copied";
  });
}

const signIn = document.querySelector("[data-token]");
if (signIn && location.hash.length > 1) {
  signIn.elements.namedItem("token").value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  signIn.requestSubmit();
}
