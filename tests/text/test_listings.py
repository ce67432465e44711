"""Code listings lose their highlighter, and nothing else."""

import pytest

from feedsvc.text.clean import clean_foreign, clean_own

LINK = "https://warp.example/"


@pytest.mark.parametrize(
    ("html", "listing"),
    [
        pytest.param(
            '<pre><code class="language-cuda"><span class="k">int</span> a;\n<span>// b</span>\n</code></pre>',
            '<pre><code class="language-cuda">int a;\n// b\n</code></pre>',
            id="spans",
        ),
        pytest.param(
            '<div class="highlight"><table class="lntable"><tr><td><pre><code><span class="lnt">1\n</span>'
            '<span class="lnt">2\n</span></code></pre></td><td><pre><code class="language-go"><span class="line">'
            '<span class="cl">a\n</span></span><span class="line"><span class="cl">b\n'
            "</span></span></code></pre></td></tr></table></div>",
            '<pre><code class="language-go">a\nb\n</code></pre>',
            id="Hugo, table of two columns",
        ),
        pytest.param(
            '<pre><code><span class="line"><span class="ln">1</span><span class="cl">a\n</span></span>'
            '<span class="line"><span class="ln">2</span><span class="cl">b\n</span></span></code></pre>',
            "<pre><code>a\nb\n</code></pre>",
            id="Hugo, numbers in the line",
        ),
        pytest.param(
            '<div class="language-cpp highlighter-rouge"><pre><code><table class="rouge-table"><tbody><tr>'
            '<td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>vec<int> a;\n'
            '<span class="k">b</span>;\n</pre></td></tr></tbody></table></code></pre></div>',
            '<pre><code class="language-cpp">vec&lt;int&gt; a;\nb;\n</code></pre>',
            id="Rouge, a table inside of code",
        ),
        pytest.param(
            '<figure class="highlight"><table><tr><td class="gutter"><pre><span class="line">1</span><br>'
            '<span class="line">2</span></pre></td><td class="code"><pre><span class="line">a</span><br>'
            '<span class="line">b</span></pre></td></tr></table></figure>',
            "<figure><pre><code>a\nb\n</code></pre></figure>",
            id="Hexo",
        ),
        pytest.param(
            '<table class="highlight js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td>'
            '<td class="blob-code">a</td></tr><tr><td class="blob-num" data-line-number="2"></td>'
            '<td class="blob-code">42</td></tr></table>',
            "<pre><code>a\n42\n</code></pre>",
            id="gist, a row for each line",
        ),
        pytest.param(
            '<div class="syntaxhighlighter"><table><tr><td class="gutter"><div class="line number1">1</div>'
            '<div class="line number2">2</div></td><td class="code"><div class="container"><div class="line number1">'
            '<code class="keyword">int</code> <code class="plain">a;</code></div><div class="line number2">'
            '<code class="plain">b;</code></div></div></td></tr></table></div>',
            "<pre><code>int a;\nb;\n</code></pre>",
            id="SyntaxHighlighter",
        ),
        pytest.param(
            '<pre><div class="line">a</div><div class="line"></div><div class="line">b</div></pre>',
            "<pre>a\n\nb</pre>",
            id="a block for each line, one of them empty",
        ),
        pytest.param(
            '<pre><code><span class="token-line">a</span><span class="token-line">b</span></code></pre>',
            "<pre><code>a\nb</code></pre>",
            id="line elements without line ends",
        ),
        pytest.param("<pre>a<br>b<br/>\nc</pre>", "<pre>a\nb\n\nc</pre>", id="br"),
        pytest.param("<pre>  a\n\n\tb   c  \n</pre>", "<pre>  a\n\n\tb   c  \n</pre>", id="white space stays"),
        pytest.param("<pre>12\n34</pre>", "<pre>12\n34</pre>", id="numbers that are the code"),
        pytest.param(
            '<div class="highlight"><pre><code>a\n</code></pre><button>Copy</button></div>',
            "<pre><code>a\n</code></pre>",
            id="copy button",
        ),
        pytest.param(
            '<div class="highlight-source-c++"><pre><code>a</code></pre></div>',
            '<pre><code class="language-c++">a</code></pre>',
            id="language of what is around",
        ),
        pytest.param(
            "<pre><code>a <em>b</em> <strong>c</strong></code></pre>",
            "<pre><code>a <em>b</em> <strong>c</strong></code></pre>",
            id="emphasis stays",
        ),
    ],
)
def test_a_listing_is_its_text_with_its_line_ends(html: str, listing: str) -> None:
    """CL-02, CL-03."""
    assert clean_foreign(html, LINK).html.strip() == listing
    assert clean_own(html, LINK, "p").html.strip() == listing


@pytest.mark.parametrize(
    "html",
    [
        "<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "<table><tbody><tr><td>CUDA</td><td><code>k&lt;&lt;&lt;1&gt;&gt;&gt;()</code></td></tr></tbody></table>",
        "<table><tbody><tr><td>Before</td><td><pre>a</pre></td></tr></tbody></table>",
    ],
)
def test_a_table_of_other_things_stays_a_table(html: str) -> None:
    """CL-06: tables stay."""
    assert clean_foreign(html, LINK).html == html
