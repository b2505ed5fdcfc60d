"""How good is it, and is it better?"""
