"""A formula appears once, as TeX or flattened so that it can be read."""

import pytest

from feedsvc.text.clean import clean_foreign, clean_own, plain

LINK = "https://warp.example/"
KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow>'
    '<annotation encoding="application/x-tex">\\frac{a}{b}</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mfrac">ba</span></span></span>'
)
KATEX_DRAWN = (
    '<span class="katex"><span class="katex-html"><span class="mord"><span class="mfrac"><span class="vlist-t">'
    '<span class="vlist-r"><span class="vlist"><span><span class="mord">b</span></span><span><span class="frac-line">'
    '</span></span><span><span class="mord">a</span></span></span></span></span></span></span></span></span>'
)
MATHJAX_2 = (
    '<span class="MathJax_Preview">ab</span><span class="MathJax"><nobr><span class="math">ab</span></nobr>'
    '<span class="MJX_Assistive_MathML"><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></span></span>'
    '<script type="math/tex">\\frac{a}{b}</script>'
)
MATHJAX_3 = (
    '<mjx-container class="MathJax"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="x"></mjx-c></mjx-mi></mjx-math>'
    "<mjx-assistive-mml><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></mjx-assistive-mml></mjx-container>"
)
WIKI = (
    '<span class="mwe-math-element"><span style="display: none;"><math alttext="a/b"><mi>x</mi></math></span>'
    '<img src="/x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="a/b"></span>'
)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (KATEX, "\\frac{a}{b}"),
        (KATEX_DRAWN, "a/b"),
        (MATHJAX_2, "\\frac{a}{b}"),
        (MATHJAX_3, "a/b"),
        (WIKI, "a/b"),
        ('<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>', "a/b"),
        ('<script type="math/tex; mode=display">x^2</script>', "x^2"),
        ("$a_b$ and \\(c\\)", "$a_b$ and \\(c\\)"),
    ],
)
def test_a_formula_appears_once_whatever_drew_it(html: str, text: str) -> None:
    """T13, C7: parts for ears, for eyes and the source say the same."""
    for clean in (clean_own(html, LINK, "p").html, clean_foreign(html, LINK).html):
        assert plain(clean) == text
        assert "<math" not in clean
    assert plain(html) == text


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "2 1/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac>", "(a+1)/2"),
        ("<msup><mi>x</mi><mn>2</mn></msup><msub><mi>y</mi><mi>i</mi></msub>", "x^2 y_i"),
        ("<msup><mn>10</mn><mrow><mo>-</mo><mn>6</mn></mrow></msup>", "10^(-6)"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "x^(1/3)"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            "∑_(i=1)^n i",
        ),
        ("<mi>sin</mi><mi>x</mi>", "sin x"),
        ("<mi>c</mi><mfrac><mi>a</mi><mi>b</mi></mfrac><mi>d</mi>", "c a/b d"),
        ("<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr></mtable>", "[1, 2; 3, 4]"),
        ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", "(x, y)"),
        ("<semantics><mi>x</mi><annotation encoding='text/plain'>ex</annotation></semantics>", "x"),
    ],
)
def test_mathml_is_flattened_so_that_a_fraction_keeps_its_bar(mathml: str, text: str) -> None:
    """T13: it never reads as one number."""
    assert plain(f"<math>{mathml}</math>") == text


def test_a_formula_does_not_grow_together_with_the_words_around() -> None:
    """T13."""
    assert plain("<p>12<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>5</p>") == "12 3/4 5"


def test_an_endless_formula_costs_nothing() -> None:
    """S-43: depth is the tree's, 200."""
    assert "(√(√(x))" in plain("<math>" + "<msqrt>" * 5_000 + "x")
