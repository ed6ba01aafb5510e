// The code of a recovery link stands behind `#`, which is sent nowhere until the button is pressed.
addEventListener("load", () => {
  const fill = () => {
    const box = document.querySelector("input[name=code]");
    if (!box) return requestAnimationFrame(fill);
    const code = decodeURIComponent(location.hash.slice(1));
    if (code) box.value = code;
    history.replaceState(null, "", location.pathname);
  };
  fill();
});
