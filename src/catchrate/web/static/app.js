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

document.documentElement.classList.add("scripted");

const drop = document.querySelector("[data-drop]");
if (drop) {
  const files = drop.elements.namedItem("files"), said = drop.querySelector("[data-chosen]");
  const tell = () => { said.textContent = [...files.files].map((file) => file.name).join(", "); };
  files.addEventListener("change", tell);
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    files.files = event.dataTransfer.files;
    tell();
    drop.requestSubmit();
  });
  drop.addEventListener("submit", () => { said.textContent = "Sending …"; });
}

const opening = document.querySelector("[data-opening]");
if (opening) {
  const bar = opening.querySelector("progress"), doing = opening.querySelector("[data-doing]");
  const look = async () => {
    const now = await (await fetch(opening.dataset.opening)).json();
    if (now.state !== "opening") { location.reload(); return; }
    if (now.share !== null) bar.value = now.share;
    if (now.rows) doing.textContent = `${now.doing || "Reading"}: ${now.rows.toLocaleString("en")} rows`;
    setTimeout(look, 250);
  };
  setTimeout(look, 150);
}

for (const auto of document.querySelectorAll("[data-auto]")) {
  auto.addEventListener("change", (event) => { if (event.target.matches("select")) auto.requestSubmit(); });
  auto.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!String(value).trim()) event.formData.delete(name);
  });
}

const keys = document.querySelector("#keys");
if (keys) {
  const on = keys.querySelector("#keys-on");
  on.checked = localStorage.getItem("keys") !== "off";
  on.addEventListener("change", () => localStorage.setItem("keys", on.checked ? "on" : "off"));
  keys.addEventListener("close", () => { // comes late: the next key may have moved the focus already
    if (keys.contains(document.activeElement)) document.activeElement.blur();
  });
  const step = (by) => {
    const rows = [...document.querySelectorAll("[data-rows] tbody th a")];
    const at = rows.indexOf(document.activeElement);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  const does = {
    "/": () => document.querySelector("[data-search]")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    "[": () => document.querySelector('[data-key="["]')?.click(),
    "]": () => document.querySelector('[data-key="]"]')?.click(),
    "?": () => keys.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=checkbox]), select, textarea") || keys.open;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(does, event.key)) return;
    if (!on.checked && event.key !== "?") return;
    event.preventDefault();
    does[event.key]();
  });
}
