// *Present*: the board fills the screen, for a projector, until the reader presses Escape or the button.

/** Connects the button. @param {HTMLButtonElement} button @param {() => void} changed called when the scale of drawings changes */
export function connectPresentation(button, changed) {
  const { body, documentElement: page } = document;
  const set = (/** @type {boolean} */ on) => {
    if (body.classList.contains("present") === on) return;
    body.classList.toggle("present", on);
    changed();
  };
  button.addEventListener("click", async () => {
    const on = !body.classList.contains("present");
    set(on);
    // If the browser does not allow full screen, the board fills the window.
    if (on) await page.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) await document.exitFullscreen().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => set(document.fullscreenElement !== null));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.querySelector("dialog[open], :popover-open") === null) set(false);
  });
}
